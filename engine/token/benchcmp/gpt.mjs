// The same measure for the npm package gpt-tokenizer, warm and in its own process: compare with "promptc" of
// main.go, run in the same minutes. In a directory of your own:
//
//   npm install gpt-tokenizer && node gpt.mjs FILE...
import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8');
  const times = [];
  for (let round = 0; round < 15; round++) {
    const start = process.hrtime.bigint();
    countTokens(text, { disallowedSpecial: new Set() });
    times.push(Number(process.hrtime.bigint() - start));
  }
  times.sort((a, b) => a - b);
  console.log(file, `${((Buffer.byteLength(text) / times[7]) * 1000).toFixed(1)} MB/s`);
}
