package io.berth.server;

import io.berth.admission.AdmissionChain;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Authority;
import io.berth.server.identity.StaticTokens;
import io.berth.server.request.Query;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// A server in memory, asked without HTTP by callers with static tokens: `admin` of
/// `system:masters`, and `alice` and `bob`, who have no rights of their own.
public final class TestServer implements AutoCloseable {

  public static final String NOBODY = "";

  private static final Authority AUTHORITY = Authority.open(null);

  private final Store store;
  private final ApiServer server;

  public TestServer() {
    this(ServerSettings.plain());
  }

  public TestServer(ServerSettings settings) {
    this(inMemory(), settings);
  }

  public TestServer(AdmissionChain admission) {
    this(inMemory(), admission, ServerSettings.plain());
  }

  /// Closes the store when it is closed.
  TestServer(Store store, ServerSettings settings) {
    this(store, AdmissionChain.of(List.of(), List.of()), settings);
  }

  private TestServer(Store store, AdmissionChain admission, ServerSettings settings) {
    this.store = store;
    this.server = new ApiServer(store, AUTHORITY, admission, settings.withStaticTokens(tokens()));
  }

  private static Store inMemory() {
    return Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
  }

  private static StaticTokens tokens() {
    try {
      var file = Files.createTempFile("tokens", ".csv");
      Files.writeString(
          file, "admin,root,1,system:masters\nalice,alice,2,\"dev,ops\"\nbob,bob,3\n");
      var tokens = StaticTokens.read(file);
      Files.delete(file);
      return tokens;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Who signs for every test server.
  public static Authority authority() {
    return AUTHORITY;
  }

  public ApiServer server() {
    return server;
  }

  public Store store() {
    return store;
  }

  public long revision() {
    return store.revision();
  }

  public Answer get(String token, String path) {
    return ask(token, "GET", path, "");
  }

  public Answer post(String token, String path, String body) {
    return ask(token, "POST", path, body);
  }

  /// Single quotes in the body stand for double ones.
  public Answer ask(String token, String method, String path, String body) {
    var headers = new HashMap<String, List<String>>();
    if (!token.isEmpty()) {
      headers.put("authorization", List.of("Bearer " + token));
    }
    return ask(headers, method, path, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  public Answer ask(
      java.util.Map<String, List<String>> headers, String method, String path, byte[] body) {
    int question = path.indexOf('?');
    return server
        .endpoint()
        .answer(
            new Call(
                method,
                question < 0 ? path : path.substring(0, question),
                Query.parse(question < 0 ? "" : path.substring(question + 1)),
                headers,
                List.of(),
                "127.0.0.1",
                () -> body));
  }

  public static Tree json(Answer answer) {
    return Json.read(text(answer));
  }

  public static String text(Answer answer) {
    return new String(((Answer.Whole) answer).body(), StandardCharsets.UTF_8);
  }

  /// What a stream sends until it ends by itself.
  public static List<String> frames(Answer answer) throws Exception {
    var frames = new ArrayList<String>();
    ((Answer.Stream) answer)
        .frames()
        .writeTo(
            new Answer.Outlet() {
              @Override
              public void send(byte[] frame) {
                frames.add(new String(frame, StandardCharsets.UTF_8));
              }

              @Override
              public void onClose(Runnable action) {}
            });
    return frames;
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
