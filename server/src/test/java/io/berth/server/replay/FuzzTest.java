package io.berth.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import io.berth.server.replay.Mutator.Input;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Requests with something wrong in them: whatever comes in, the server refuses it in its own words
/// or does it, in reasonable time. It never breaks, and what it refuses changes nothing.
///
/// A request whose answer reads like none before is damaged further: that leads through the checks
/// behind one another. `-Dfuzz.seconds=600` goes on for ten minutes, `-Dfuzz.requests=N` sets how
/// many requests it otherwise is, `-Dfuzz.seed=S` which. What breaks the server is printed as a
/// line for `fuzz/found.jsonl`.
class FuzzTest {

  private static final int REQUESTS = Integer.getInteger("fuzz.requests", 1500);
  private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("fuzz.seconds", 0));
  private static final long SEED = Long.getLong("fuzz.seed", 11);
  private static final int REQUESTS_PER_SERVER = 20_000;
  private static final int KEPT = 20_000;
  private static final int BROKEN = 10;
  private static final long SLOW_NANOS = Duration.ofSeconds(5).toNanos();

  /// Kubernetes calls this an internal error, too.
  private static final String BUDGETS = "This pod has more than one PodDisruptionBudget";

  private final Random random = new Random(SEED);
  private final Seeds seeds = new Seeds();
  private final Mutator mutator = new Mutator(random, seeds);
  private final List<Input> corpus = new ArrayList<>();
  private final Set<String> answers = new HashSet<>();
  private final List<String> broken = new ArrayList<>();
  private final long begin = System.nanoTime();
  private int sent;

  @Test
  void nothingThatComesInBreaksTheServer() {
    do {
      try (var server = new TestServer()) {
        server.post("admin", "/api/v1/namespaces", named("Namespace", Seeds.NAMESPACE));
        if (corpus.isEmpty()) {
          corpus.addAll(seeds.all(server));
        }
        seeds.found().forEach(input -> send(server, input));
        for (int i = 0; i < REQUESTS_PER_SERVER && goesOn(); i++) {
          send(server, mutator.damaged(corpus.get(random.nextInt(corpus.size()))));
        }
      }
    } while (goesOn());

    System.out.printf("%d requests, %d answers that differ%n", sent, answers.size());
    assertThat(broken).as("seed %d", SEED).isEmpty();
  }

  private boolean goesOn() {
    return broken.size() < BROKEN
        && (TIME.isZero() ? sent < REQUESTS : System.nanoTime() - begin < TIME.toNanos());
  }

  private static String named(String kind, String name) {
    return "{'kind':'%s','apiVersion':'v1','metadata':{'name':'%s'}}".formatted(kind, name);
  }

  private void send(TestServer server, Input input) {
    sent++;
    var headers = new HashMap<String, List<String>>();
    headers.put("authorization", List.of("Bearer admin"));
    headers.put("content-type", List.of(input.type()));
    var threads = ManagementFactory.getThreadMXBean();
    long revision = server.revision();
    long busy = threads.getCurrentThreadCpuTime();
    try {
      var answer = server.ask(headers, input.method(), input.path(), input.body());
      judge(input, answer, server.revision() != revision);
    } catch (RuntimeException | StackOverflowError e) {
      report(input, e.toString());
    }
    if (threads.getCurrentThreadCpuTime() - busy > SLOW_NANOS) {
      report(input, "took more than %d s of CPU".formatted(SLOW_NANOS / 1_000_000_000));
    }
  }

  private void judge(Input input, Answer answer, boolean changed) {
    if (!(answer instanceof Answer.Whole whole)) {
      return;
    }
    var text = TestServer.text(whole);
    if (answer.code() == 500 && text.contains("\"InternalError\"") && !text.contains(BUDGETS)) {
      report(input, text);
    } else if (text.contains("io.berth.") || text.contains("java.lang.")) {
      report(input, "shows its insides: " + text);
    } else if (answer.code() >= 400 && changed) {
      report(input, "was refused, but something changed: " + text);
    }
    if (answers.add(shape(input, answer, text)) && corpus.size() < KEPT) {
      corpus.add(input);
    }
  }

  /// An answer without what comes from the request: its names, values and numbers.
  private static String shape(Input input, Answer answer, String text) {
    var message = "";
    if (answer.code() >= 400) {
      try {
        message = Json.read(text).textOrEmpty("message").replaceAll("\"[^\"]*\"|[0-9]+", "");
      } catch (SyntaxException e) {
        message = text;
      }
    }
    return input.method() + input.type() + answer.code() + message;
  }

  private void report(Input input, String what) {
    broken.add(input + ": " + what);
    System.out.printf(
        "{\"method\":\"%s\",\"path\":%s,\"type\":\"%s\",\"body\":\"%s\"}%n",
        input.method(),
        Json.text(input.path()),
        input.type(),
        Base64.getEncoder().encodeToString(input.body()));
  }
}
