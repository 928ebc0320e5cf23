import type { ApiRequest } from './api';

/** As `berth explain pod -o json` prints it, with what a suggestion asks the API for. */
export interface Explanation {
  pod: string;
  verdict: 'fits' | 'bound' | 'gated' | 'unserved' | 'failed' | 'never' | 'notNow';
  node?: string;
  complete: boolean;
  cut?: boolean;
  message: string;
  nodes: number;
  opening?: { node: string; without: string[] };
  causes: Cause[];
  suggestions: Suggestion[];
  preemption?: { node?: string; victims?: string[] };
}

export interface Cause {
  rule: string;
  reason: string;
  field?: string;
  source?: Record<string, string>;
  why?: string;
  count: number;
  first: number;
  nodes?: string[];
  blame?: string[];
  shortage?: { resource: string; asked: string; mostFree: string; node: string };
}

export interface Suggestion {
  target: 'pod' | 'pods' | 'node';
  what: string;
  size: number;
  command?: string;
  lands: string;
  evicts: string[];
  requests: ApiRequest[];
}

export const STRANGER = 'a pod you may not see';

const VERDICTS: Record<Explanation['verdict'], string> = {
  fits: 'fits',
  bound: 'has a node',
  gated: 'gated',
  unserved: 'no scheduler',
  failed: 'cannot be judged',
  never: 'never',
  notNow: 'not now',
};

export function verdict(explanation: Explanation): string {
  return VERDICTS[explanation.verdict] ?? explanation.verdict;
}

/** The answer in one or two sentences. */
export function sentence(explanation: Explanation): string {
  const nodes = `${explanation.nodes} ${explanation.nodes === 1 ? 'node' : 'nodes'}`;
  switch (explanation.verdict) {
    case 'fits':
      return explanation.node ? `Fits: it would go to ${explanation.node}.` : 'Fits: a node would take it now.';
    case 'bound':
      return `Runs on ${explanation.node ?? 'a node'}.`;
    case 'never':
      return `Fits on none of ${nodes}, whatever pods come or go.`;
    case 'notNow': {
      const opening = explanation.opening;
      return opening
        ? `Fits on none of ${nodes}; would fit on ${opening.node} without ${list(opening.without)}.`
        : `Fits on none of ${nodes} now.`;
    }
    default:
      return explanation.message || VERDICTS[explanation.verdict];
  }
}

export function list(names: string[], most = 3): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** What a cause says beside its reason, in words. */
export function why(cause: Cause): string {
  if (cause.shortage) {
    return `asks ${cause.shortage.asked} ${cause.shortage.resource}, most free is ${cause.shortage.mostFree} on ${cause.shortage.node}`;
  }
  return cause.why ?? '';
}

/** Causes of one rule and reason as one, most nodes first. */
export function grouped(causes: Cause[]): Cause[] {
  const groups = new Map<string, Cause>();
  for (const cause of causes) {
    const key = `${cause.rule} ${cause.reason} ${cause.field ?? ''} ${JSON.stringify(cause.source ?? {})}`;
    const known = groups.get(key);
    if (!known) {
      groups.set(key, { ...cause, nodes: [...(cause.nodes ?? [])], blame: [...(cause.blame ?? [])] });
      continue;
    }
    known.first += cause.first;
    known.nodes = [...new Set([...(known.nodes ?? []), ...(cause.nodes ?? [])])];
    // Two causes may be of one node, which counts once where it is told.
    known.count = known.nodes.length || known.count + cause.count;
    known.blame = [...new Set([...(known.blame ?? []), ...(cause.blame ?? [])])];
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
