package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChangeLogTest {

  private final ChangeLog log = new ChangeLog();

  @Test
  void findsWhatLiesBetweenAnyTwoRevisions() {
    add(1, 400);

    for (long after = 0; after < 400; after += 7) {
      for (long upTo = after; upTo < 420; upTo += 13) {
        assertThat(between(after, upTo)).isEqualTo(odd(after + 1, Math.min(upTo, 399)));
      }
    }
  }

  @Test
  void whatIsForgottenIsSkippedAndSaid() {
    var changes = add(1, 400);
    var under = log.between(0, 400);
    assertThat(under.next().revision()).isEqualTo(1);

    changes.subList(0, 150).forEach(log::forget);

    assertThat(log.forgotten()).isEqualTo(299);
    assertThat(between(0, 400)).isEqualTo(odd(300, 400));
    // The one it had looked at already, and then what is left.
    assertThat(under.next().revision()).isEqualTo(3);
    assertThat(under.next().revision()).isEqualTo(301);
  }

  @Test
  void goesOnWhenEverythingWasForgotten() {
    add(1, 40).forEach(log::forget);
    assertThat(between(0, 40)).isEmpty();

    add(41, 300);

    assertThat(between(40, 300)).isEqualTo(odd(41, 300));
    assertThat(between(0, 300)).isEqualTo(odd(41, 300));
  }

  /// Changes with the odd revisions: the others belong to other resources.
  private List<Change> add(long from, long to) {
    var changes = new ArrayList<Change>();
    for (long revision : odd(from, to)) {
      var entry =
          new Entry(podKey("default", "a"), revision, pod("default", "a", "1").freeze(), JSON);
      changes.add(new Change(Change.Type.MODIFIED, entry, null));
    }
    changes.forEach(log::add);
    return changes;
  }

  private List<Long> between(long after, long upTo) {
    var revisions = new ArrayList<Long>();
    log.between(after, upTo).forEachRemaining(change -> revisions.add(change.revision()));
    return revisions;
  }

  private static List<Long> odd(long from, long to) {
    return LongStream.rangeClosed(from, to).filter(r -> r % 2 == 1).boxed().toList();
  }
}
