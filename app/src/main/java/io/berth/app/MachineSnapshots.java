package io.berth.app;

import io.berth.cli.Snapshots;
import io.berth.cli.UserError;
import io.berth.codec.Json;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.CorruptStoreException;
import io.berth.store.Settings;
import io.berth.store.Store;
import io.berth.store.UnusableFolderException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Snapshots of running clusters over their API, of stopped ones from their folders.
final class MachineSnapshots implements Snapshots {

  private static final String PATH = "/berth/v1/snapshot";

  /// The file appears whole or not at all, readable by its owner only.
  @Override
  public Saved save(Path kubeconfig, Path file) {
    var draft = file.resolveSibling("." + file.getFileName() + ".new");
    try (var admin = AdminClient.of(kubeconfig)) {
      Authority.writePrivate(draft, "");
      var request = HttpRequest.newBuilder(URI.create(admin.server() + PATH)).build();
      var answer = admin.http().send(request, BodyHandlers.ofInputStream());
      try (var body = answer.body()) {
        if (answer.statusCode() != 200) {
          var text = new String(body.readNBytes(1 << 16), StandardCharsets.UTF_8);
          throw new UserError(
              "the cluster refuses to be saved: %s".formatted(Json.read(text).text("message")));
        }
        try (var out = Files.newOutputStream(draft)) {
          body.transferTo(out);
        }
      }
      Store.check(draft);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      var headers = answer.headers();
      return new Saved(
          headers.firstValueAsLong("Berth-Objects").orElse(0),
          headers.firstValueAsLong("Berth-Revision").orElse(0));
    } catch (IOException | CorruptStoreException e) {
      throw new UserError("cannot save into %s: %s".formatted(file, e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted before the snapshot was whole");
    } finally {
      delete(draft);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UserError("cannot remove %s: %s".formatted(file, e.getMessage()));
    }
  }

  @Override
  public Saved saveStopped(Path folder, Path file) {
    if (!Files.isDirectory(folder.resolve("store"))) {
      throw new UserError("there is no cluster in %s".formatted(folder));
    }
    try (var _ = RunFolder.lock(folder);
        var store =
            Store.open(
                    folder.resolve("store"), Settings.of(new Codec(Json::write, Json::readLenient)))
                .store()) {
      var report = store.save(file);
      return new Saved(report.objects(), report.revision());
    } catch (CorruptStoreException e) {
      throw new UserError(e.getMessage() + "; " + MachineExaminations.advice(folder));
    } catch (IOException | UnusableFolderException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Restored restore(Path file, Path folder) {
    try (var _ = RunFolder.lock(folder)) {
      var report = Store.restore(file, folder.resolve("store"));
      return new Restored(report.objects(), report.revision());
    } catch (IOException | UnusableFolderException | CorruptStoreException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    }
  }
}
