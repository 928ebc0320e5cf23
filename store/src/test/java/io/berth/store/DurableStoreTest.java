package io.berth.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DurableStoreTest extends StoreContractTest {

  @TempDir private Path temporary = Path.of("");
  private int opened;

  @Override
  Store open(Settings settings) {
    return Store.open(temporary.resolve("data" + opened++), settings).store();
  }
}
