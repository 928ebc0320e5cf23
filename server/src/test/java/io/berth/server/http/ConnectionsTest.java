package io.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.budget.Owner;
import io.berth.server.budget.Use;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.Test;

/// Connections on which nobody is known, and others.
class ConnectionsTest {

  private static final int MOST = 10;
  private static final Owner ALICE = Owner.known("alice");

  private final Memory memory = new Memory(new Budget(1 << 20));
  private final Connections connections = new Connections(memory, MOST);

  @Test
  void strangersPushOutEachOther() {
    var opened = open(25);

    assertThat(opened.subList(0, 15)).noneMatch(Wire::isOpen);
    assertThat(opened.subList(15, 25)).allMatch(Wire::isOpen);
  }

  @Test
  void whoIsKnownStays() {
    var known = open(1).getFirst();
    connections.host(known).isKnown(ALICE);

    open(100);

    assertThat(known.isOpen()).isTrue();
  }

  @Test
  void nobodyHasMoreConnectionsThanTheirPartOfMemory() {
    var opened = new ArrayList<Wire>();
    for (int i = 0; i < 40; i++) {
      opened.addAll(open(1));
      connections.host(opened.getLast()).isKnown(ALICE);
    }

    assertThat(opened.stream().filter(Wire::isOpen)).hasSize(16);
    opened.forEach(connections::onClosed);
    assertThat(memory.inUse(Use.CONNECTIONS)).isZero();
  }

  @Test
  void roomIsMadeByTheOldestStranger() {
    var opened = open(3);

    connections.host(opened.getLast()).makeRoom();

    assertThat(opened.getFirst().isOpen()).isFalse();
    assertThat(opened.subList(1, 3)).allMatch(Wire::isOpen);
  }

  private List<Wire> open(int count) {
    var opened = new ArrayList<Wire>();
    for (int i = 0; i < count; i++) {
      opened.add(new Wire());
      connections.onOpened(opened.getLast());
    }
    return opened;
  }

  private static final class Wire extends AbstractConnection {

    Wire() {
      super(new ByteArrayEndPoint(new ScheduledExecutorScheduler(), 0), Runnable::run);
    }

    boolean isOpen() {
      return getEndPoint().isOpen();
    }

    @Override
    public void onFillable() {}
  }
}
