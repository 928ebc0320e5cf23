package io.berth.placement.document;

import io.berth.api.Tree;
import io.berth.codec.YamlPlaces;
import io.berth.codec.YamlPlaces.Place;
import java.nio.file.Path;
import java.util.List;

/// A test as it was written, known to look as [TestOutline] say, and where.
public final class PlacementTest {

  private final Path file;
  private final Tree tree;
  private final YamlPlaces places;

  PlacementTest(Path file, Tree tree, YamlPlaces places) {
    this.file = file;
    this.tree = tree;
    this.places = places;
  }

  public String name() {
    return tree.textOrEmpty("metadata", "name");
  }

  public Path file() {
    return file;
  }

  /// Where paths in the test begin.
  public Path folder() {
    var parent = file.toAbsolutePath().getParent();
    return parent == null ? file.toAbsolutePath() : parent;
  }

  public List<Tree> given() {
    return tree.trees("given");
  }

  public List<Tree> when() {
    return tree.trees("when");
  }

  public List<Tree> then() {
    return tree.trees("then");
  }

  /// The line of a part, from 1.
  public int line(Object... path) {
    return place(List.of(path)).line();
  }

  private Place place(List<Object> path) {
    return places.find(path);
  }
}
