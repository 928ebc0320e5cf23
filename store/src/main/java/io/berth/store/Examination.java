package io.berth.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is whole in a data folder and what is not; see [Store#examine]. Nothing was changed.
public final class Examination {

  private final Path folder;
  private final List<Finding> findings;
  private final String user;
  private final long noted;
  private final @Nullable State good;

  Examination(Path folder, List<Finding> findings, String user, long noted, @Nullable State good) {
    this.folder = folder;
    this.findings = List.copyOf(findings);
    this.user = user;
    this.noted = noted;
    this.good = good;
  }

  /// What was found about a file or folder, named from the data folder.
  public record Finding(String file, Verdict verdict, String words) {}

  /// `TOLD` is worth knowing, and costs nothing that somebody relies on.
  public enum Verdict {
    WHOLE,
    TOLD,
    DAMAGED
  }

  /// In the order in which opening would come upon them.
  public List<Finding> findings() {
    return findings;
  }

  /// Whether the folder can be opened, with everything that was acknowledged.
  public boolean isWhole() {
    return findings.stream().noneMatch(finding -> finding.verdict() == Verdict.DAMAGED);
  }

  /// The process that has the folder open; empty when there is none.
  public String user() {
    return user;
  }

  /// The last revision that was noted as written; 0 when that is not known.
  public long notedRevision() {
    return noted;
  }

  /// The newest revision as of which every object is there; 0 when there is none.
  public long goodRevision() {
    return good == null ? 0 : good.revision();
  }

  /// The objects as of [#goodRevision()].
  public int objects() {
    return good == null ? 0 : good.objects().size();
  }

  /// Makes a new data folder of the objects as of [#goodRevision()].
  ///
  /// Throws [CorruptStoreException] when there is no such revision.
  public RestoreReport restoreTo(Path target, long nowMillis) {
    if (good == null) {
      throw new CorruptStoreException("no revision in %s is whole".formatted(folder));
    }
    try {
      var scratch = Files.createTempDirectory("berth-restore");
      var file = scratch.resolve("snapshot");
      try {
        Snapshot.save(good, file, nowMillis);
        return Snapshot.restore(file, target);
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(scratch);
      }
    } catch (IOException e) {
      throw new UnusableFolderException("cannot restore into %s: %s".formatted(target, e), e);
    }
  }
}
