package io.berth.engine.decide;

import io.berth.engine.rule.GroupScore;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Normalization;

/// A raw score of single nodes as part of their keys: nodes of a group have it in common.
///
/// It takes two numbers of the key, the higher and the lower half.
final class RawScore implements GroupScore {

  private static final int HALVES = 2;

  private final NodeScore score;
  private final boolean readsPods;
  private int at;

  RawScore(NodeScore score, boolean readsPods) {
    this.score = score;
    this.readsPods = readsPods;
  }

  @Override
  public int nodeComponents() {
    return readsPods ? 0 : HALVES;
  }

  @Override
  public int podComponents() {
    return readsPods ? HALVES : 0;
  }

  @Override
  public void place(Places places) {
    at = readsPods ? places.pods() : places.node();
  }

  @Override
  public void readNode(int node, int[] key) {
    if (!readsPods) {
      read(node, key);
    }
  }

  @Override
  public void readPods(int node, int[] key) {
    if (readsPods) {
      read(node, key);
    }
  }

  private void read(int node, int[] key) {
    long raw = score.raw(node);
    key[at] = (int) (raw >> Integer.SIZE);
    key[at + 1] = (int) raw;
  }

  @Override
  public long raw(int[] key) {
    return (long) key[at] << Integer.SIZE | Integer.toUnsignedLong(key[at + 1]);
  }

  @Override
  public Normalization normalization() {
    return score.normalization();
  }
}
