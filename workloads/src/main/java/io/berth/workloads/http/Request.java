package io.berth.workloads.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/// One HTTP request as the front hands it over. The path is decoded; header names are lower case.
public record Request(
    String method,
    String path,
    Map<String, List<String>> query,
    Map<String, List<String>> headers,
    String remoteAddress,
    Supplier<byte[]> body,
    Sender sender) {

  /// From a sender whom nobody asks for a place.
  public Request(
      String method,
      String path,
      Map<String, List<String>> query,
      Map<String, List<String>> headers,
      String remoteAddress,
      Supplier<byte[]> body) {
    this(method, path, query, headers, remoteAddress, body, Sender.FREE);
  }

  /// What stands between a sender and the others: how much it may send, and how much at once.
  public interface Sender {

    Sender FREE =
        new Sender() {
          @Override
          public void isKnownAs(String account) {}

          @Override
          public byte[] body(Request request, int most) {
            return request.body().get();
          }

          @Override
          public Place enter(boolean write) {
            return () -> {};
          }
        };

    /// Until this is said, the sender is a stranger.
    void isKnownAs(String account);

    /// The body, which must not be larger than `most`.
    byte[] body(Request request, int most);

    /// A place among the requests that are worked on; throws the refusal when too many are.
    Place enter(boolean write);
  }

  /// A place; left when closed.
  public interface Place extends AutoCloseable {

    @Override
    void close();
  }

  /// The first value of a header, or `""`.
  public String header(String name) {
    return first(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /// The first value of a query parameter, or `""`.
  public String parameter(String name) {
    return first(query.get(name));
  }

  /// All values of a query parameter, in the order they were sent.
  public List<String> parameters(String name) {
    return query.getOrDefault(name, List.of());
  }

  private static String first(@org.jspecify.annotations.Nullable List<String> values) {
    return values == null || values.isEmpty() ? "" : values.getFirst();
  }
}
