package io.berth.api;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// The crew of a process that serves: virtual threads. They wait for sockets, disks and time.
final class Threads implements Crew {

  @Override
  public void start(String name, Runnable task) {
    Thread.ofVirtual().name(name).start(task);
  }

  @Override
  public void fork(Runnable task) {
    Thread.startVirtualThread(task);
  }

  @Override
  public Shift after(Duration delay, String name, Runnable task) {
    var thread =
        Thread.ofVirtual()
            .name(name)
            .start(() -> {
              try {
                Thread.sleep(delay);
              } catch (InterruptedException e) {
                return; // Closing the shift ends the thread this way.
              }
              task.run();
            });
    return thread::interrupt;
  }

  @Override
  public Shift every(Duration pause, String name, Runnable task) {
    var thread =
        Thread.ofVirtual()
            .name(name)
            .start(() -> {
              try {
                while (true) {
                  Thread.sleep(pause);
                  task.run();
                }
              } catch (InterruptedException e) {
                // Closing the shift ends the thread this way.
              }
            });
    return thread::interrupt;
  }

  @Override
  public void await(CountDownLatch latch) throws InterruptedException {
    latch.await();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
