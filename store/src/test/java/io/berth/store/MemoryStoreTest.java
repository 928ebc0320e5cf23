package io.berth.store;

class MemoryStoreTest extends StoreContractTest {

  @Override
  Store open(Settings settings) {
    return Store.inMemory(settings);
  }
}
