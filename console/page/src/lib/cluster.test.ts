import { describe, expect, test } from 'vitest';
import { Cluster, type MapColumns, type MapDelta } from './cluster';

const EMPTY: MapColumns = {
  rev: 'e.0',
  cut: false,
  seesNodes: true,
  keys: ['zone'],
  states: [],
  domains: [[]],
  namespaces: [],
  owners: [],
  shapes: [],
  nodes: {},
  pods: {},
};

function nodeRow(name: string, zone: string): MapDelta {
  return { rev: '', nodes: { set: [[name, 1, 0, [zone], 4000, 8, 0, 110, 0, 0, 0, 0]], gone: [] } };
}

function podRow(name: string, node: string, state = 3): MapDelta {
  return { rev: '', pods: { set: [['shop', name, node, 'ReplicaSet web', state, 500, 1, 0, 0]], gone: [] } };
}

let revision = 0;

function apply(cluster: Cluster, delta: MapDelta): void {
  cluster.apply({ ...delta, rev: `e.${++revision}` });
}

/** What a reader sees: node by node. */
function shown(cluster: Cluster): string[] {
  return cluster.nodes.map((node) => `${node.name}: ${node.pods.map((pod) => cluster.podName[pod]).sort().join(' ')}`);
}

describe('a cluster', () => {
  test('is loaded from columns', () => {
    const cluster = Cluster.of({
      ...EMPTY,
      domains: [['b', 'a']],
      namespaces: ['shop'],
      owners: ['ReplicaSet web'],
      shapes: [[500, 1024, 0, 7]],
      nodes: { name: ['n1', 'n2'], ready: [1, 0], cordoned: [0, 1], domain0: [0, 1], cpu: [4000, 4000], cpuTaken: [500, 0] },
      pods: { namespace: [0, 0], name: ['waits', 'runs'], node: [-1, 0], owner: [0, 0], state: [0, 3], shape: [0, 0] },
    });

    expect(shown(cluster)).toEqual(['n1: runs', 'n2: ']);
    expect([...cluster.waiting].map((pod) => cluster.key(pod))).toEqual(['shop/waits']);
    expect(cluster.nodes[1]).toMatchObject({ ready: false, cordoned: true, domain: ['a'] });
    expect(cluster.owner(cluster.find('shop/runs'))).toBe('ReplicaSet shop/web');
  });

  test('follows pods that come, move and go', () => {
    const cluster = Cluster.of(EMPTY);
    apply(cluster, nodeRow('n1', 'a'));
    apply(cluster, nodeRow('n2', 'b'));
    apply(cluster, podRow('p', '', 0));
    expect(cluster.waiting.size).toBe(1);

    apply(cluster, podRow('p', 'n2'));
    expect(shown(cluster)).toEqual(['n1: ', 'n2: p']);
    expect(cluster.waiting.size).toBe(0);

    apply(cluster, { rev: '', pods: { set: [], gone: ['shop/p'] } });
    expect(shown(cluster)).toEqual(['n1: ', 'n2: ']);
    expect(cluster.count).toBe(0);
  });

  test('keeps pods where they are when nodes come before theirs', () => {
    const cluster = Cluster.of(EMPTY);
    apply(cluster, nodeRow('n5', 'a'));
    apply(cluster, podRow('p', 'n5'));
    apply(cluster, nodeRow('n1', 'a'));

    expect(shown(cluster)).toEqual(['n1: ', 'n5: p']);
    expect(cluster.nodes[cluster.node[cluster.find('shop/p')]].name).toBe('n5');
  });

  test('passes over what it knows already', () => {
    const cluster = Cluster.of({ ...EMPTY, rev: 'e.99999' });
    cluster.apply({ ...nodeRow('old', 'a'), rev: 'e.5' });

    expect(cluster.nodes).toEqual([]);
  });

  test('keeps a node that is gone while a pod names it', () => {
    const cluster = Cluster.of(EMPTY);
    apply(cluster, nodeRow('n1', 'a'));
    apply(cluster, podRow('p', 'n1'));
    apply(cluster, { rev: '', nodes: { set: [], gone: ['n1'] } });
    expect(shown(cluster)).toEqual(['n1: p']);
    expect(cluster.nodes[0]).toMatchObject({ named: true, ready: false });

    apply(cluster, { rev: '', pods: { set: [], gone: ['shop/p'] } });
    expect(shown(cluster)).toEqual([]);
  });

  test('has a place for pods of nodes that it may not see', () => {
    const cluster = Cluster.of({ ...EMPTY, seesNodes: false, cut: true });
    apply(cluster, podRow('p', 'hidden'));

    expect(shown(cluster)).toEqual(['hidden: p']);
  });
});
