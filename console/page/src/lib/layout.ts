import type { Cluster } from './cluster';

/** A part of the map: a domain with what lies in it. Units are nodes: each is 1 × 1. */
export interface Block {
  name: string;
  /** Which of the map's keys it is a value of. */
  level: number;
  x: number;
  y: number;
  width: number;
  height: number;
  nodes: number[];
  blocks: Block[];
}

export interface Layout {
  blocks: Block[];
  /** Upper left corner of each node. */
  x: Float64Array;
  y: Float64Array;
  width: number;
  height: number;
}

const GAP = 0.16;
export const PAD = 0.22;
export const HEAD = 0.42;

/** Forms that the innermost blocks may have, width by height; the one that fills the window best is taken. */
const FORMS = [1.4, 0.5, 0.8, 1.1, 2, 3];

/** Between blocks that stand side by side. */
const ALLEY = 0.3;

/** Lays nodes out by their domains, in about the form of the window. */
export function layOut(cluster: Cluster, aspect: number): Layout {
  const x = new Float64Array(cluster.nodes.length);
  const y = new Float64Array(cluster.nodes.length);
  const all = cluster.nodes.map((_, i) => i);
  all.sort((a, b) => byName(cluster.nodes[a].name, cluster.nodes[b].name));
  const root = FORMS.map((form) => block(cluster, '', -1, all, aspect, form)).reduce((best, each) =>
    miss(each, aspect) < miss(best, aspect) ? each : best,
  );
  place(root, 0, 0, x, y);
  return { blocks: flat(root), x, y, width: root.width, height: root.height };
}

function flat(root: Block): Block[] {
  return root.blocks.flatMap((each) => [each, ...flat(each)]);
}

/** How far something this large has to be scaled down to fit a window of this form. */
function miss(size: { width: number; height: number }, aspect: number): number {
  return Math.max(size.width / aspect, size.height);
}

function block(cluster: Cluster, name: string, level: number, nodes: number[], aspect: number, form: number): Block {
  const below = level + 1;
  const made: Block = { name, level, x: 0, y: 0, width: 0, height: 0, nodes, blocks: [] };
  if (below < cluster.keys.length) {
    const groups = new Map<string, number[]>();
    for (const node of nodes) {
      const value = cluster.nodes[node].domain[below] ?? '';
      const group = groups.get(value);
      if (group) group.push(node);
      else groups.set(value, [node]);
    }
    const names = [...groups.keys()].sort(byName);
    made.blocks = names.map((each) => block(cluster, each, below, groups.get(each) ?? [], form, form));
    pack(made, aspect);
  } else {
    const columns = columnsFor(nodes.length, aspect);
    made.width = columns * (1 + GAP) - GAP;
    made.height = Math.ceil(nodes.length / columns) * (1 + GAP) - GAP;
  }
  if (level >= 0) {
    made.width += 2 * PAD;
    made.height += 2 * PAD + HEAD;
  }
  return made;
}

/** Numbers in names count as numbers: node-10 comes after node-9. */
const collator = new Intl.Collator('en', { numeric: true });

function byName(a: string, b: string): number {
  return collator.compare(a, b);
}

function columnsFor(count: number, aspect: number): number {
  return Math.max(1, Math.round(Math.sqrt(count * aspect)));
}

/** Blocks go side by side in rows, of the width that makes the whole most like the window. */
function pack(parent: Block, aspect: number): void {
  let best = { miss: Infinity, limit: 0 };
  let limit = 0;
  // Many blocks are tried in larger steps: nobody sees the difference.
  const step = Math.ceil(parent.blocks.length / 60);
  for (const [i, each] of parent.blocks.entries()) {
    limit += each.width + ALLEY;
    if (i % step !== 0 && i !== parent.blocks.length - 1) continue;
    const missed = miss(arrange(parent.blocks, limit), aspect);
    if (missed < best.miss) best = { miss: missed, limit };
  }
  const { width, height } = arrange(parent.blocks, best.limit);
  parent.width = width;
  parent.height = height;
}

/** Gives each block its place in rows that are no wider than this, if a block is not. */
function arrange(blocks: Block[], limit: number): { width: number; height: number } {
  let left = 0;
  let top = 0;
  let row = 0;
  let width = 0;
  for (const each of blocks) {
    if (left > 0 && left + each.width > limit) {
      left = 0;
      top += row + ALLEY;
      row = 0;
    }
    each.x = left;
    each.y = top;
    left += each.width + ALLEY;
    row = Math.max(row, each.height);
    width = Math.max(width, left - ALLEY);
  }
  return { width, height: top + row };
}

function place(parent: Block, left: number, top: number, x: Float64Array, y: Float64Array): void {
  const inset = parent.level < 0 ? 0 : PAD;
  const head = parent.level < 0 ? 0 : HEAD;
  for (const each of parent.blocks) {
    each.x += left + inset;
    each.y += top + inset + head;
    place(each, each.x, each.y, x, y);
  }
  if (parent.blocks.length > 0) return;
  const columns = Math.max(1, Math.round((parent.width - 2 * inset + GAP) / (1 + GAP)));
  const sorted = parent.nodes;
  sorted.forEach((node, i) => {
    x[node] = left + inset + (i % columns) * (1 + GAP);
    y[node] = top + inset + head + Math.floor(i / columns) * (1 + GAP);
  });
}
