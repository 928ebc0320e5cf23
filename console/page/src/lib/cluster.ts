/**
 * The cluster as columns: nodes and pods have indexes, and each attribute is an array.
 *
 * A pod's index is its own until it is gone; then another may get it. Nodes are numbered anew when
 * some come or go, which is seldom. Changes patch the arrays in place.
 */

export interface MapColumns {
  rev: string;
  cut: boolean;
  seesNodes: boolean;
  keys: string[];
  states: string[];
  domains: string[][];
  namespaces: string[];
  owners: string[];
  shapes: number[][];
  nodes: Record<string, (string | number)[]>;
  pods: Record<string, (string | number)[]>;
}

type PodRow = [string, string, string, string, number, number, number, number, number];
type NodeRow = [string, number, number, string[], ...number[]];

export interface MapDelta {
  rev: string;
  pods?: { set: PodRow[]; gone: string[] };
  nodes?: { set: NodeRow[]; gone: string[] };
}

export interface Room {
  cpu: number;
  memory: number;
  gpu: number;
  pods: number;
}

export interface NodeCell {
  name: string;
  ready: boolean;
  cordoned: boolean;
  /** One value for each key of the map. */
  domain: string[];
  offers: Room;
  taken: Room;
  /** Indexes of the pods on it that are seen. */
  pods: number[];
  /** Whether nothing is known of it but that pods name it: it is gone, or may not be seen. */
  named: boolean;
}

export const WAITING = 0;
export const GATED = 1;
const SUCCEEDED = 4;
const FAILED = 5;

/** Values that repeat, numbered in the order of their first use. */
class Numbered {
  readonly values: string[] = [];
  private numbers = new Map<string, number>();

  number(value: string): number {
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.values.length;
      this.values.push(value);
      this.numbers.set(value, number);
    }
    return number;
  }

  find(value: string): number {
    return this.numbers.get(value) ?? -1;
  }
}

function titleOf(namespace: string, name: string, owner: string): string {
  if (!owner) return `Pod ${namespace}/${name}`;
  const space = owner.indexOf(' ');
  return `${owner.slice(0, space)} ${namespace}/${owner.slice(space + 1)}`;
}

export class Cluster {
  rev = '';
  cut = false;
  seesNodes = false;
  keys: string[] = [];
  states: string[] = [];

  nodes: NodeCell[] = [];
  private nodeIndex = new Map<string, number>();

  count = 0;
  podName: string[] = [];
  podNamespace: string[] = [];
  podOwner: string[] = [];

  /** What is searched when somebody looks for a pod: its name and owner in small letters. */
  podText: string[] = [];

  /** Owners and namespaces by number, and the number of each pod's. */
  readonly owners = new Numbered();
  readonly namespaces = new Numbered();
  ownerOf = new Int32Array(0);
  namespaceOf = new Int32Array(0);
  node = new Int32Array(0);
  state = new Uint8Array(0);
  cpu = new Float64Array(0);
  memory = new Float64Array(0);
  gpu = new Float64Array(0);
  priority = new Float64Array(0);
  private podIndex = new Map<string, number>();
  private free: number[] = [];
  private unsorted = false;

  /** Pods without a node. */
  readonly waiting = new Set<number>();

  /** Grows whenever nodes come, go or move to another domain: the layout is another then. */
  layoutVersion = 0;

  static of(columns: MapColumns): Cluster {
    const cluster = new Cluster();
    cluster.load(columns);
    return cluster;
  }

  private load(columns: MapColumns): void {
    this.rev = columns.rev;
    this.cut = columns.cut;
    this.seesNodes = columns.seesNodes;
    this.keys = columns.keys;
    this.states = columns.states;
    const { nodes, pods } = columns;
    const names = (nodes.name ?? []) as string[];
    const number = (column: string, i: number) => Number(nodes[column]?.[i] ?? 0);
    this.nodes = names.map((name, i) => ({
      name,
      ready: number('ready', i) === 1,
      cordoned: number('cordoned', i) === 1,
      domain: columns.keys.map((_, k) => columns.domains[k][number(`domain${k}`, i)] ?? ''),
      offers: { cpu: number('cpu', i), memory: number('memory', i), gpu: number('gpu', i), pods: number('pods', i) },
      taken: {
        cpu: number('cpuTaken', i),
        memory: number('memoryTaken', i),
        gpu: number('gpuTaken', i),
        pods: number('podsTaken', i),
      },
      pods: [],
      named: number('pods', i) === 0,
    }));
    this.indexNodes();
    const podNames = (pods.name ?? []) as string[];
    this.reserve(podNames.length);
    for (let i = 0; i < podNames.length; i++) {
      const shape = columns.shapes[Number(pods.shape[i])];
      const place = Number(pods.node[i]);
      this.put(
        columns.namespaces[Number(pods.namespace[i])],
        podNames[i],
        place < 0 ? '' : names[place],
        columns.owners[Number(pods.owner[i])],
        Number(pods.state[i]),
        shape,
      );
    }
    if (this.unsorted) this.renumber();
  }

  private indexNodes(): void {
    this.nodeIndex = new Map(this.nodes.map((node, i) => [node.name, i]));
    this.layoutVersion++;
  }

  private reserve(size: number): void {
    if (size <= this.node.length) return;
    const capacity = Math.max(64, size, this.node.length * 2);
    const grown = <T extends Int32Array | Uint8Array | Float64Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.node = grown(this.node, new Int32Array(capacity));
    this.ownerOf = grown(this.ownerOf, new Int32Array(capacity));
    this.namespaceOf = grown(this.namespaceOf, new Int32Array(capacity));
    this.state = grown(this.state, new Uint8Array(capacity));
    this.cpu = grown(this.cpu, new Float64Array(capacity));
    this.memory = grown(this.memory, new Float64Array(capacity));
    this.gpu = grown(this.gpu, new Float64Array(capacity));
    this.priority = grown(this.priority, new Float64Array(capacity));
  }

  /** Takes what has changed; what this map has already is passed over. */
  apply(delta: MapDelta): void {
    if (revision(delta.rev) <= revision(this.rev)) return;
    this.rev = delta.rev;
    if (delta.nodes) this.applyNodes(delta.nodes.set, delta.nodes.gone);
    for (const key of delta.pods?.gone ?? []) this.remove(key);
    for (const row of delta.pods?.set ?? []) {
      this.put(row[0], row[1], row[2], row[3], row[4], row.slice(5) as number[]);
    }
    if (this.unsorted || this.nodes.some((node) => node.named && node.pods.length === 0)) this.renumber();
  }

  private applyNodes(set: NodeRow[], gone: string[]): void {
    let moved = false;
    for (const [name, ready, cordoned, domain, ...room] of set) {
      const [cpu, memory, gpu, pods, cpuTaken, memoryTaken, gpuTaken, podsTaken] = room as number[];
      const known = this.nodeIndex.get(name);
      const node: NodeCell = {
        name,
        ready: ready === 1,
        cordoned: cordoned === 1,
        domain,
        offers: { cpu, memory, gpu, pods },
        taken: { cpu: cpuTaken, memory: memoryTaken, gpu: gpuTaken, pods: podsTaken ?? 0 },
        pods: known === undefined ? [] : this.nodes[known].pods,
        named: false,
      };
      if (known === undefined) {
        this.nodeIndex.set(name, this.nodes.length);
        this.nodes.push(node);
        moved = true;
      } else {
        moved ||= this.nodes[known].domain.join() !== domain.join();
        this.nodes[known] = node;
      }
    }
    for (const name of gone) {
      const known = this.nodeIndex.get(name);
      if (known === undefined) continue;
      this.nodes[known] = { ...this.placeholder(name), pods: this.nodes[known].pods };
      moved = true;
    }
    if (moved) this.renumber();
  }

  private placeholder(name: string): NodeCell {
    const none = { cpu: 0, memory: 0, gpu: 0, pods: 0 };
    const domain = this.keys.map(() => '');
    return { name, ready: !this.seesNodes, cordoned: false, domain, offers: none, taken: none, pods: [], named: true };
  }

  /** Whoever is only named goes with the last pod that names it. */
  private renumber(): void {
    this.nodes = this.nodes.filter((node) => !node.named || node.pods.length > 0);
    this.nodes.sort((a, b) => (a.name < b.name ? -1 : 1));
    this.unsorted = false;
    this.indexNodes();
    for (let n = 0; n < this.nodes.length; n++) {
      for (const pod of this.nodes[n].pods) this.node[pod] = n;
    }
  }

  private put(namespace: string, name: string, node: string, owner: string, state: number, shape: number[]): void {
    const key = `${namespace}/${name}`;
    let pod = this.podIndex.get(key);
    if (pod === undefined) {
      pod = this.free.pop() ?? this.podName.length;
      this.reserve(pod + 1);
      this.podIndex.set(key, pod);
      this.count++;
    } else {
      this.leave(pod);
    }
    this.podName[pod] = name;
    this.podNamespace[pod] = namespace;
    this.podOwner[pod] = owner;
    this.podText[pod] = `${key} ${owner}`.toLowerCase();
    this.ownerOf[pod] = this.owners.number(titleOf(namespace, name, owner));
    this.namespaceOf[pod] = this.namespaces.number(namespace);
    this.state[pod] = state;
    [this.cpu[pod], this.memory[pod], this.gpu[pod], this.priority[pod]] = shape;
    this.node[pod] = node ? this.nodeNamed(node) : -1;
    if (this.node[pod] >= 0) this.nodes[this.node[pod]].pods.push(pod);
    else if (state === WAITING || state === GATED) this.waiting.add(pod);
  }

  /** A pod may name a node that is not known, or not seen. */
  private nodeNamed(name: string): number {
    const known = this.nodeIndex.get(name);
    if (known !== undefined) return known;
    this.nodes.push(this.placeholder(name));
    this.nodeIndex.set(name, this.nodes.length - 1);
    this.unsorted = true;
    return this.nodes.length - 1;
  }

  private leave(pod: number): void {
    this.waiting.delete(pod);
    const pods = this.nodes[this.node[pod]]?.pods;
    if (pods) pods.splice(pods.indexOf(pod), 1);
    this.node[pod] = -1;
  }

  private remove(key: string): void {
    const pod = this.podIndex.get(key);
    if (pod === undefined) return;
    this.leave(pod);
    this.podIndex.delete(key);
    this.podName[pod] = '';
    this.podText[pod] = '';
    this.free.push(pod);
    this.count--;
  }

  find(key: string): number {
    return this.podIndex.get(key) ?? -1;
  }

  findNode(name: string): number {
    return this.nodeIndex.get(name) ?? -1;
  }

  key(pod: number): string {
    return `${this.podNamespace[pod]}/${this.podName[pod]}`;
  }

  /** Who made it, with its namespace: `Deployment shop/web`; the pod itself if nobody did. */
  owner(pod: number): string {
    return this.owners.values[this.ownerOf[pod]];
  }

  /** Whether it takes room where it is. */
  takesRoom(pod: number): boolean {
    return this.state[pod] !== SUCCEEDED && this.state[pod] !== FAILED;
  }

  /** Indexes of all pods. */
  *pods(): Generator<number> {
    for (let pod = 0; pod < this.podName.length; pod++) {
      if (this.podName[pod]) yield pod;
    }
  }

  get size(): number {
    return this.podName.length;
  }
}

/** The number behind the dot: two maps of one console compare by it. */
export function revision(rev: string): number {
  return Number(rev.slice(rev.indexOf('.') + 1)) || 0;
}
