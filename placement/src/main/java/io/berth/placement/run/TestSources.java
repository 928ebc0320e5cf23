package io.berth.placement.run;

import io.berth.answers.source.Manifest;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// Where tests get from what they cannot read themselves: clusters that were saved.
///
/// @param snapshots the objects of a snapshot file
public record TestSources(Function<Path, List<Manifest>> snapshots) {

  /// Of files that are manifests.
  public static final TestSources MANIFESTS =
      new TestSources(io.berth.answers.source.ManifestReader::read);
}
