import type { Cluster } from './cluster';
import { type Measure, type Palette, share, type Tints } from './colours';
import { HEAD, type Layout, PAD } from './layout';

/** What of the map is on the screen: pixels = (units - offset) × scale. */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export interface Picture {
  cluster: Cluster;
  layout: Layout;
  palette: Palette;
  tints: Tints;
  measure: Measure;
  /** Pods that are lit, the others being dim; `null` lights all. */
  lit: Set<number> | null;
  selectedNode: number;
  selectedPod: number;
}

/** Text needs this many pixels. */
const LABEL = 11;
const NODE_LABEL = 54;

/**
 * Draws a frame. Nodes and pods are written straight into pixels, whatever their size: the work is
 * that of the screen, not of the cluster. Names are drawn over them where they fit.
 */
export function draw(context: CanvasRenderingContext2D, image: ImageData, camera: Camera, picture: Picture, ratio: number): void {
  const { width, height } = image;
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(picture.palette.page);
  const { layout } = picture;
  const size = camera.scale;
  const seen: number[] = [];
  for (let n = 0; n < layout.x.length; n++) {
    const left = (layout.x[n] - camera.x) * size;
    const top = (layout.y[n] - camera.y) * size;
    if (left > width || top > height || left + size < 0 || top + size < 0) continue;
    seen.push(n);
  }
  blocks(pixels, width, height, camera, picture);
  for (const n of seen) node(pixels, width, height, camera, picture, n);
  context.putImageData(image, 0, 0);
  labels(context, camera, picture, seen, ratio);
}

function blocks(pixels: Uint32Array, width: number, height: number, camera: Camera, picture: Picture): void {
  for (const block of picture.layout.blocks) {
    const left = (block.x - camera.x) * camera.scale;
    const top = (block.y - camera.y) * camera.scale;
    fill(pixels, width, height, left, top, left + block.width * camera.scale, top + block.height * camera.scale, blockPixel(picture, block.level));
  }
}

function blockPixel(picture: Picture, level: number): number {
  const hex = parseInt(picture.palette.block.slice(1), 16);
  const shade = Math.min(level, 3) * 4;
  const part = (n: number) => Math.max(0, (n & 255) - shade);
  return ((255 << 24) | (part(hex) << 16) | (part(hex >> 8) << 8) | part(hex >> 16)) >>> 0;
}

function fill(pixels: Uint32Array, width: number, height: number, left: number, top: number, right: number, bottom: number, colour: number): void {
  const x0 = Math.max(0, Math.round(left));
  const x1 = Math.min(width, Math.max(Math.round(right), Math.round(left) + 1));
  const y0 = Math.max(0, Math.round(top));
  const y1 = Math.min(height, Math.max(Math.round(bottom), Math.round(top) + 1));
  if (x0 >= x1) return;
  for (let y = y0; y < y1; y++) pixels.fill(colour, y * width + x0, y * width + x1);
}

/** Stands for all pods that the reader may not see. */
const STRANGERS = -2;

/**
 * A node is a vessel: pods lie in it from the bottom up, each as high as what it takes of the node.
 * Tells of each where it begins and ends, from 0 at the top to 1.
 */
function walk(picture: Picture, n: number, visit: (pod: number, top: number, bottom: number) => void): void {
  const { cluster, measure } = picture;
  const cell = cluster.nodes[n];
  const strangers = strangersShare(picture, n);
  let all = strangers;
  for (const pod of cell.pods) if (cluster.takesRoom(pod)) all += share(cluster, pod, measure, cell.offers);
  const scale = 1 / Math.max(1, all);
  let bottom = 1;
  if (strangers > 0) {
    visit(STRANGERS, bottom - strangers * scale, bottom);
    bottom -= strangers * scale;
  }
  for (const pod of cell.pods) {
    if (!cluster.takesRoom(pod)) continue;
    const top = bottom - share(cluster, pod, measure, cell.offers) * scale;
    visit(pod, top, bottom);
    bottom = top;
  }
}

/** What pods that the reader may not see take of a node. */
function strangersShare(picture: Picture, n: number): number {
  const { cluster, measure } = picture;
  const cell = cluster.nodes[n];
  if (!cluster.cut || !cluster.seesNodes || measure === 'pods' || cell.offers[measure] <= 0) return 0;
  let seen = 0;
  for (const pod of cell.pods) if (cluster.takesRoom(pod)) seen += cluster[measure][pod];
  return Math.max(0, (cell.taken[measure] - seen) / cell.offers[measure]);
}

function node(pixels: Uint32Array, width: number, height: number, camera: Camera, picture: Picture, n: number): void {
  const { cluster, layout, palette, lit, tints } = picture;
  const cell = cluster.nodes[n];
  const size = camera.scale;
  const left = (layout.x[n] - camera.x) * size;
  const above = (layout.y[n] - camera.y) * size;
  const ground = !cell.ready ? palette.down : cell.cordoned ? palette.cordoned : palette.empty;
  fill(pixels, width, height, left, above, left + size, above + size, ground);
  const gap = size > 60 ? 1 : 0;
  walk(picture, n, (pod, top, bottom) => {
    const colour = pod === STRANGERS ? palette.stranger : lit && !lit.has(pod) ? palette.dim : tints.of(pod);
    fill(pixels, width, height, left, above + top * size + gap, left + size, above + bottom * size, colour);
  });
}

/** The pod at a height of a node, from 0 at its top to 1; -1 if there is none that is seen. */
export function podAt(picture: Picture, n: number, at: number): number {
  let found = -1;
  walk(picture, n, (pod, top, bottom) => {
    if (at >= top && at < bottom && pod !== STRANGERS) found = pod;
  });
  return found;
}

function labels(context: CanvasRenderingContext2D, camera: Camera, picture: Picture, seen: number[], ratio: number): void {
  const { layout, palette, cluster } = picture;
  const size = camera.scale;
  context.textBaseline = 'middle';
  for (const block of layout.blocks) {
    const high = HEAD * size;
    const font = Math.min(high * 0.8, 15 * ratio);
    if (font < 8 * ratio) continue;
    const left = (block.x + PAD - camera.x) * size;
    const top = (block.y + PAD * 0.7 - camera.y) * size;
    if (top + high < 0 || top > context.canvas.height || left > context.canvas.width) continue;
    context.font = `600 ${font}px system-ui, sans-serif`;
    context.fillStyle = palette.text;
    const room = (block.width - 2 * PAD) * size;
    const name = block.name || '(none)';
    const shown = fitting(context, name, room);
    context.fillText(shown, left, top + high * 0.45);
    const used = context.measureText(shown).width;
    context.font = `400 ${font * 0.86}px system-ui, sans-serif`;
    context.fillStyle = palette.soft;
    const count = `${block.nodes.length} ${block.nodes.length === 1 ? 'node' : 'nodes'}`;
    if (used + 10 * ratio + context.measureText(count).width < room) context.fillText(count, left + used + 10 * ratio, top + high * 0.45);
  }
  if (size > NODE_LABEL * ratio) {
    const font = Math.min(13 * ratio, size / 7);
    for (const n of seen) {
      const left = (layout.x[n] - camera.x) * size;
      const top = (layout.y[n] - camera.y) * size;
      podNames(context, picture, n, left, top, size, ratio);
      context.font = `600 ${font}px system-ui, sans-serif`;
      const text = fitting(context, cluster.nodes[n].name, size - 8 * ratio);
      const wide = context.measureText(text).width;
      context.fillStyle = palette.block;
      context.globalAlpha = 0.86;
      context.fillRect(left, top, wide + 8 * ratio, font * 1.5);
      context.globalAlpha = 1;
      context.fillStyle = palette.text;
      context.fillText(text, left + 4 * ratio, top + font * 0.78);
    }
  }
  outline(context, camera, picture, ratio);
}

function podNames(context: CanvasRenderingContext2D, picture: Picture, n: number, left: number, above: number, size: number, ratio: number): void {
  const { cluster, palette, lit } = picture;
  if (size < 90 * ratio) return;
  const font = LABEL * ratio;
  context.font = `${font}px system-ui, sans-serif`;
  walk(picture, n, (pod, top, bottom) => {
    if ((bottom - top) * size < font * 1.3) return;
    const dim = pod === STRANGERS || (lit && !lit.has(pod));
    const name = pod === STRANGERS ? 'pods you may not see' : cluster.podName[pod];
    context.fillStyle = dim ? palette.text : contrast(picture.tints.of(pod));
    context.fillText(fitting(context, name, size - 8 * ratio), left + 4 * ratio, above + ((top + bottom) / 2) * size);
  });
}

/** Black or white, whichever reads better on this colour. */
function contrast(pixel: number): string {
  const light = 0.299 * (pixel & 255) + 0.587 * ((pixel >> 8) & 255) + 0.114 * ((pixel >> 16) & 255);
  return light > 140 ? '#10161c' : '#ffffff';
}

function outline(context: CanvasRenderingContext2D, camera: Camera, picture: Picture, ratio: number): void {
  const n = picture.selectedPod >= 0 ? picture.cluster.node[picture.selectedPod] : picture.selectedNode;
  if (n < 0 || n >= picture.layout.x.length) return;
  const size = camera.scale;
  const left = (picture.layout.x[n] - camera.x) * size;
  const top = (picture.layout.y[n] - camera.y) * size;
  context.strokeStyle = picture.palette.focus;
  context.lineWidth = 2 * ratio;
  context.strokeRect(left - ratio, top - ratio, size + 2 * ratio, size + 2 * ratio);
  walk(picture, n, (pod, from, to) => {
    if (pod !== picture.selectedPod) return;
    context.strokeStyle = picture.palette.text;
    context.strokeRect(left + ratio, top + from * size, size - 2 * ratio, Math.max((to - from) * size, 2 * ratio));
  });
}

function fitting(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let cut = text;
  while (cut.length > 1 && context.measureText(`${cut}…`).width > room) cut = cut.slice(0, -1);
  return `${cut}…`;
}
