package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.eventKey;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;

import io.berth.api.Tree;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/// The process that is killed: writes to a store as fast as it can, and says on standard output
/// what was acknowledged and what a watch delivered.
///
/// Lines are `ack NAME VALUE REVISION`, `gone NAME REVISION` and `seen TYPE NAME REVISION`, written
/// after the store returned, so that whatever a reader of them finds had been promised.
final class CrashWriter {

  private static final int THREADS = 8;
  private static final int NAMES_PER_THREAD = 6;

  private CrashWriter() {}

  public static void main(String[] arguments) {
    long seed = Long.parseLong(arguments[1]);
    // Small limits, so that compaction and expiry are under way at any moment as well.
    var settings =
        Settings.of(JSON)
            .withRetention(new Retention(Duration.ofHours(1), 0, 5_000, Long.MAX_VALUE))
            .withExpiries(List.of(new Expiry("", "events", Duration.ofHours(1), 50)));
    var store = Store.open(Path.of(arguments[0]), settings).store();
    var out = new FileOutputStream(FileDescriptor.out);
    say(out, "open " + store.revision());
    store.watch(Samples.PODS, store.revision(), new Teller(out));
    for (int i = 0; i < THREADS; i++) {
      var writer = new Writer(store, out, i, new Random(seed + i));
      Thread.ofVirtual().start(writer::run);
    }
    parkForever();
  }

  private static void parkForever() {
    while (true) {
      LockSupport.park();
    }
  }

  // One short write to a pipe per line: a line is whole or not there.
  private static void say(OutputStream out, String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Writer(Store store, OutputStream out, int number, Random random) {

    void run() {
      for (int i = 0; true; i++) {
        var name = "w%d-%d".formatted(number, random.nextInt(NAMES_PER_THREAD));
        if (random.nextInt(5) == 0) {
          delete(name);
        } else {
          put(name, Integer.toString(i));
        }
        if (random.nextInt(4) == 0) {
          store.transactRelaxed(t -> t.put(eventKey("e" + random.nextInt(100)), new Tree()));
        }
      }
    }

    private void put(String name, String value) {
      // Two keys in one transaction: a crash must not separate them.
      var entry =
          store.transact(t -> {
            t.put(podKey("twins", name), pod("twins", name, value));
            return t.put(podKey("default", name), pod("default", name, value));
          });
      say(out, "ack %s %s %d".formatted(name, value, entry.revision()));
    }

    private void delete(String name) {
      long revision =
          store.transact(t -> {
            if (t.find(podKey("default", name)).isEmpty()) {
              return 0L;
            }
            t.delete(podKey("twins", name));
            return t.delete(podKey("default", name)).revision();
          });
      if (revision > 0) {
        say(out, "gone %s %d".formatted(name, revision));
      }
    }
  }

  private record Teller(OutputStream out) implements Store.Listener {

    @Override
    public void changed(Change change) {
      var key = change.entry().key();
      if (key.namespace().equals("default")) {
        say(out, "seen %s %s %d".formatted(change.type(), key.name(), change.revision()));
      }
    }

    @Override
    public void progressed(long revision) {}

    @Override
    public void ended(RuntimeException cause) {
      say(out, "ended " + cause.getMessage());
    }
  }
}
