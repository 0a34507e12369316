// Writes unicode16.json: how the npm package tiktoken, the Rust original, counts text with the code points that
// differing.go lists. In a directory of your own:
//
//   npm install tiktoken@1.0.22 && node unicode16.mjs path/to/differing.go > unicode16.json
//
// For each encoding and context, runs of code points of one count: [first, last, count], and the SHA-256 of all
// ranks, each in decimal and ended by a newline.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get_encoding } from 'tiktoken';

const points = [];
for (const [, first, last] of readFileSync(process.argv[2], 'utf8').matchAll(/\{0x([0-9A-F]+), 0x([0-9A-F]+),/g))
  for (let point = parseInt(first, 16); point <= parseInt(last, 16); point++) points.push(point);

// @ stands for the code point.
const contexts = ['@', '@@', 'a@b', 'A@B', ' @', '!@', '!!@x', '1@2', "@'s", '\n@\n', '中@', 'abc@DEF @@ghi'];

const golden = {};
for (const name of ['o200k_base', 'cl100k_base']) {
  const encoding = get_encoding(name);
  golden[name] = {};
  for (const context of contexts) {
    const runs = [];
    const hash = createHash('sha256');
    for (const point of points) {
      const ranks = encoding.encode_ordinary(context.replaceAll('@', String.fromCodePoint(point)));
      for (const rank of ranks) hash.update(`${rank}\n`);
      const run = runs.at(-1);
      if (run && run[1] + 1 === point && run[2] === ranks.length) run[1] = point;
      else runs.push([point, point, ranks.length]);
    }
    golden[name][context] = { counts: runs, ranks: hash.digest('hex') };
  }
}
const text = JSON.stringify(golden);
console.log(text.replaceAll('},"', '},\n"').replaceAll(']],"ranks"', ']],\n "ranks"'));
