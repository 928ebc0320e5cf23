package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Runs in a process of its own, on a small volume: writes until the disk is full, frees some space
/// and looks at what is there. Says each step on standard output, for [FullDiskTest] to check.
final class FullDisk {

  private FullDisk() {}

  public static void main(String[] arguments) throws Exception {
    var volume = Path.of(arguments[0]);
    var ballast = volume.resolve("ballast");
    Files.write(ballast, new byte[8 << 20]);
    int acknowledged = fill(volume.resolve("data"));
    // Closing gave back what the log had reserved.
    var plug = volume.resolve("plug");
    fillUp(plug);
    refuseToOpen(volume.resolve("other"));
    Files.delete(plug);
    Files.delete(ballast);
    checkAll(volume.resolve("data"), acknowledged);
    say("done");
  }

  private static int fill(Path folder) {
    int acknowledged = 0;
    try (var store = Store.open(folder, Settings.of(JSON)).store()) {
      try {
        while (true) {
          put(store, acknowledged);
          acknowledged++;
        }
      } catch (StoreFailedException e) {
        say("refused: " + e.getMessage());
      }
      say("readable: " + (store.list(Samples.PODS).entries().size() == acknowledged));
      try {
        put(store, -1);
      } catch (StoreFailedException e) {
        say("still refused");
      }
    }
    return acknowledged;
  }

  private static void put(Store store, int number) {
    var name = "p" + number;
    store.transact(t -> t.put(podKey("default", name), pod("default", name, "x".repeat(20_000))));
  }

  private static void fillUp(Path plug) throws IOException {
    try (var out = Files.newOutputStream(plug)) {
      while (true) {
        out.write(new byte[64 << 10]);
      }
    } catch (IOException e) {
      say("full: " + e.getMessage());
    }
  }

  private static void refuseToOpen(Path folder) {
    try {
      Store.open(folder, Settings.of(JSON)).store().close();
      say("opened on a full disk");
    } catch (UnusableFolderException e) {
      say("cannot open: " + e.getMessage());
    }
  }

  private static void checkAll(Path folder, int acknowledged) {
    var opened = Store.open(folder, Settings.of(JSON));
    try (var store = opened.store()) {
      int found = 0;
      while (store.find(podKey("default", "p" + found)).isPresent()) {
        found++;
      }
      // The write that failed may be there: nobody was told either way.
      say("kept: " + (found == acknowledged || found == acknowledged + 1));
      put(store, found);
      say("writable: " + store.find(podKey("default", "p" + found)).isPresent());
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
