package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.PODS;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs in a process of its own that may open few files: takes all of them, writes on, gives them
/// back and looks at what is there. Says each step on standard output, for [HardTimesTest] to
/// check.
final class FewDescriptors {

  private static final int WRITES = 120;

  private FewDescriptors() {}

  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    var value = "x".repeat(1 << 20);
    var taken = new ArrayList<FileInputStream>();
    int acknowledged = 0;
    try (var store = Store.open(folder, Settings.of(JSON)).store()) {
      // Classes are files as well, and what is to be seen here is the store.
      while (acknowledged < 5) {
        put(store, acknowledged++, value);
      }
      loadClasses(store);
      takeAll(taken);
      try {
        // The log is full long before the end, and a new one is a file more.
        while (acknowledged < WRITES) {
          put(store, acknowledged, value);
          acknowledged++;
        }
      } catch (StoreFailedException e) {
        System.out.println("refused: " + e.getMessage());
      }
      System.out.println("readable: " + (store.list(PODS).entries().size() == acknowledged));
      for (var file : taken) {
        file.close();
      }
    }
    try (var store = Store.open(folder, Settings.of(JSON)).store()) {
      int found = store.list(PODS).entries().size();
      System.out.println("kept: " + (found == acknowledged || found == acknowledged + 1));
    }
  }

  private static void loadClasses(Store store) throws ClassNotFoundException {
    var _ = store.list(PODS).entries().size();
    var _ = new StoreFailedException("refused: ", new IOException()).getMessage();
    for (var name : List.of("RocksDBException", "Status", "Status$Code", "Status$SubCode")) {
      var _ = Class.forName("org.rocksdb." + name);
    }
  }

  private static void takeAll(List<FileInputStream> taken) {
    try {
      while (true) {
        taken.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      System.out.println("no more files");
    }
  }

  private static void put(Store store, int number, String value) {
    var name = "p" + number;
    store.transact(t -> t.put(podKey("default", name), pod("default", name, value)));
  }
}
