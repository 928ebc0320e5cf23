package io.berth.app;

import io.berth.cli.Examinations;
import io.berth.cli.Snapshots.Restored;
import io.berth.cli.UserError;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.CorruptStoreException;
import io.berth.store.Examination;
import io.berth.store.Settings;
import io.berth.store.Store;
import io.berth.store.UnusableFolderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Looks through the folder of a cluster: its store, its keys, its credentials.
final class MachineExaminations implements Examinations {

  private static final List<String> KEYS = List.of("ca.crt", "ca.key", "sa.key");

  @Override
  public Result examine(Path folder) {
    if (!Files.isDirectory(folder.resolve("store"))) {
      throw new UserError("there is no cluster in %s".formatted(folder));
    }
    try {
      var settings = Settings.of(new Codec(Json::write, Json::readLenient));
      var store = Store.examine(folder.resolve("store"), settings);
      return new Found(folder, store, Authority.damages(folder.resolve("pki")));
    } catch (UnusableFolderException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    }
  }

  /// What to say with every damage.
  static String advice(Path folder) {
    return ("'berth doctor --data %s' tells what is whole, and with --restore-to NEWDIR writes it"
            + " into a new folder; 'berth snapshot restore' makes one of a snapshot")
        .formatted(folder);
  }

  private record Found(Path folder, Examination store, Map<Path, String> keys) implements Result {

    @Override
    public List<Row> rows() {
      var rows = new ArrayList<Row>();
      for (var finding : store.findings()) {
        rows.add(
            new Row(
                "store/" + finding.file(),
                finding.verdict().name().toLowerCase(Locale.ROOT),
                finding.words()));
      }
      for (var name : KEYS) {
        var damage = keys.get(pki().resolve(name));
        if (damage != null || Files.exists(pki().resolve(name))) {
          rows.add(row("pki/" + name, damage == null ? "whole" : "damaged", damage));
        }
      }
      var credentials = folder.resolve(WorkloadLayer.CREDENTIALS);
      if (Files.exists(credentials)) {
        boolean whole = isDocument(credentials);
        rows.add(
            row(
                WorkloadLayer.CREDENTIALS,
                whole ? "whole" : "told",
                whole ? null : "is damaged; the next start makes a new secret"));
      }
      return rows;
    }

    private static Row row(String file, String state, @Nullable String words) {
      return new Row(file, state, words == null ? "" : words);
    }

    private Path pki() {
      return folder.resolve("pki");
    }

    private static boolean isDocument(Path file) {
      try {
        return Json.read(Files.readAllBytes(file)).has("clientSecret");
      } catch (IOException | SyntaxException e) {
        return false;
      }
    }

    @Override
    public boolean isWhole() {
      return store.isWhole() && keys.isEmpty();
    }

    @Override
    public String user() {
      return store.user();
    }

    @Override
    public long notedRevision() {
      return store.notedRevision();
    }

    @Override
    public long goodRevision() {
      return store.goodRevision();
    }

    @Override
    public int objects() {
      return store.objects();
    }

    @Override
    public Restored restoreTo(Path target) {
      try (var _ = RunFolder.lock(target)) {
        var report = store.restoreTo(target.resolve("store"), InstantSource.system().millis());
        if (keys.isEmpty()) {
          copyKeys(target.resolve("pki"));
        }
        return new Restored(report.objects(), report.revision());
      } catch (CorruptStoreException | UnusableFolderException | IOException e) {
        throw new UserError(String.valueOf(e.getMessage()));
      }
    }

    // So that kubeconfigs and tokens that were given out stay good.
    private void copyKeys(Path target) throws IOException {
      for (var name : KEYS) {
        if (Files.exists(pki().resolve(name))) {
          Files.createDirectories(target);
          Authority.writePrivate(target.resolve(name), Files.readString(pki().resolve(name)));
        }
      }
    }
  }
}
