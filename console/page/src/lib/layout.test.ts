import { expect, test } from 'vitest';
import { Cluster } from './cluster';
import { layOut } from './layout';

function clusterOf(zones: string[]): Cluster {
  return Cluster.of({
    rev: 'e.1',
    cut: false,
    seesNodes: true,
    keys: ['zone'],
    states: [],
    domains: [zones],
    namespaces: [],
    owners: [],
    shapes: [],
    nodes: { name: zones.map((_, i) => `n${i}`), domain0: zones.map((_, i) => i) },
    pods: {},
  });
}

test('no two nodes lie on each other, and each lies in its zone', () => {
  const zones = Array.from({ length: 137 }, (_, i) => `zone-${i % 5}`);
  const cluster = clusterOf(zones);
  const layout = layOut(cluster, 1.6);

  for (let a = 0; a < zones.length; a++) {
    for (let b = a + 1; b < zones.length; b++) {
      const apart = Math.abs(layout.x[a] - layout.x[b]) >= 1 || Math.abs(layout.y[a] - layout.y[b]) >= 1;
      expect(apart, `${a} and ${b}`).toBe(true);
    }
  }
  for (const block of layout.blocks) {
    for (const node of block.nodes) {
      expect(zones[node]).toBe(block.name);
      expect(layout.x[node]).toBeGreaterThanOrEqual(block.x);
      expect(layout.x[node] + 1).toBeLessThanOrEqual(block.x + block.width + 1e-9);
      expect(layout.y[node] + 1).toBeLessThanOrEqual(block.y + block.height + 1e-9);
    }
  }
});

test('a cluster without nodes has a layout without size', () => {
  expect(layOut(clusterOf([]), 1.6).blocks).toEqual([]);
});
