import type { Cluster, Room } from './cluster';

/** What is measured: how full a node is, and how much of it a pod takes. */
export const MEASURES = ['cpu', 'memory', 'gpu', 'pods'] as const;
export type Measure = (typeof MEASURES)[number];

/** What the colour of a pod tells. */
export const PAINTS = ['owner', 'namespace', 'priority', 'state'] as const;
export type Paint = (typeof PAINTS)[number];

export interface Palette {
  page: number;
  empty: number;
  line: number;
  stranger: number;
  dim: number;
  down: number;
  cordoned: number;
  pods: number[];
  states: number[];
  text: string;
  soft: string;
  focus: string;
  block: string;
}

/** As canvases hold it: alpha, blue, green, red. */
function pixel(hex: string): number {
  const n = parseInt(hex.slice(1), 16);
  return ((255 << 24) | ((n & 255) << 16) | (n & 0xff00) | (n >> 16)) >>> 0;
}

// Told apart by people who see colours otherwise, too: hue and lightness go round together.
const LIGHT = ['#2f7f93', '#d08a3e', '#6a6fb5', '#8fae4a', '#b8617c', '#4fa58a', '#a07a54', '#5b8fd0', '#c9a227', '#84679c', '#5d7f5c', '#cf7158'];
const DARK = ['#4fa9bf', '#e0a35c', '#9297d8', '#a9c768', '#d68aa1', '#6cc4a8', '#bf9a74', '#7fb0ea', '#dcbb4d', '#ab8dc4', '#86ab84', '#e79079'];

export const LIGHT_PALETTE: Palette = {
  page: pixel('#f6f7f9'),
  empty: pixel('#e6e9ed'),
  line: pixel('#c9d0d8'),
  stranger: pixel('#b4bcc6'),
  dim: pixel('#d3d8de'),
  down: pixel('#f0c9c4'),
  cordoned: pixel('#efe3c4'),
  pods: LIGHT.map(pixel),
  states: ['#d08a3e', '#a07a54', '#5b8fd0', '#4f9a6a', '#b4bcc6', '#c4453a', '#84679c'].map(pixel),
  text: '#17202a',
  soft: '#55616e',
  focus: '#0b5cd5',
  block: '#ffffff',
};

export const DARK_PALETTE: Palette = {
  page: pixel('#0f1317'),
  empty: pixel('#262e37'),
  line: pixel('#3a4550'),
  stranger: pixel('#59646f'),
  dim: pixel('#37414b'),
  down: pixel('#55302c'),
  cordoned: pixel('#453c22'),
  pods: DARK.map(pixel),
  states: ['#e0a35c', '#bf9a74', '#7fb0ea', '#6cbf88', '#59646f', '#e8705f', '#ab8dc4'].map(pixel),
  text: '#e6eaef',
  soft: '#9aa7b4',
  focus: '#8ab8ff',
  block: '#171c22',
};

/** A small number of a text, the same in every session. */
export function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  }
  return (h ^ (h >>> 15)) >>> 0;
}

export function css(pixel: number): string {
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}

/** The colours of pods: those of one owner, namespace, priority or state have the same. */
export class Tints {
  private readonly known: number[] = [];
  private readonly priorities = new Map<number, number>();

  constructor(
    private readonly cluster: Cluster,
    private readonly paint: Paint,
    private readonly palette: Palette,
  ) {}

  of(pod: number): number {
    const { cluster } = this;
    switch (this.paint) {
      case 'state':
        return this.palette.states[cluster.state[pod]];
      case 'priority':
        return this.ofPriority(cluster.priority[pod]);
      case 'namespace':
        return this.ofNumber(cluster.namespaceOf[pod], cluster.namespaces.values);
      default:
        return this.ofNumber(cluster.ownerOf[pod], cluster.owners.values);
    }
  }

  private ofNumber(number: number, names: string[]): number {
    return (this.known[number] ??= this.palette.pods[hash(names[number]) % this.palette.pods.length]);
  }

  private ofPriority(priority: number): number {
    let colour = this.priorities.get(priority);
    if (colour === undefined) {
      colour = this.palette.pods[hash(String(priority)) % this.palette.pods.length];
      this.priorities.set(priority, colour);
    }
    return colour;
  }
}

/** What a pod takes of its node: 0 to 1. One that asks for nothing still has a sliver. */
export function share(cluster: Cluster, pod: number, measure: Measure, offers: Room): number {
  const whole = offers[measure];
  const asked = measure === 'pods' ? 1 : cluster[measure][pod];
  return whole > 0 ? Math.max(asked / whole, 0.006) : 0.05;
}
