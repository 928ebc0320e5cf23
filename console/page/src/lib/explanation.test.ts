import { expect, test } from 'vitest';
import { type Explanation, grouped, sentence } from './explanation';

const NOT_NOW: Explanation = {
  pod: 'shop/web-7',
  verdict: 'notNow',
  complete: true,
  message: '',
  nodes: 6,
  opening: { node: 'node-2', without: ['shop/cache-0'] },
  causes: [],
  suggestions: [],
};

test('says what would have to go', () => {
  expect(sentence(NOT_NOW)).toBe('Fits on none of 6 nodes; would fit on node-2 without shop/cache-0.');
});

test('says never where nothing helps by waiting', () => {
  expect(sentence({ ...NOT_NOW, verdict: 'never' })).toContain('whatever pods come or go');
});

test('causes of one rule and reason are one', () => {
  const cause = { rule: 'NodeResourcesFit', reason: 'Insufficient cpu', count: 1, first: 1 };
  const all = grouped([
    { ...cause, nodes: ['a'], blame: ['x/p'] },
    { rule: 'TaintToleration', reason: 'taint', count: 1, first: 0, nodes: ['a'] },
    { ...cause, nodes: ['b'], blame: ['x/p', 'x/q'] },
  ]);

  expect(all.map((each) => [each.rule, each.count, each.nodes?.join(), each.blame?.join()])).toEqual([
    ['NodeResourcesFit', 2, 'a,b', 'x/p,x/q'],
    ['TaintToleration', 1, 'a', ''],
  ]);
});
