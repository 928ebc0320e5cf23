package io.berth.cluster.kubernetes;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.kubernetes.HttpClient.Call;
import io.berth.codec.Json;
import io.berth.codec.ObjectJson;
import io.berth.schema.DecodingException;
import io.berth.schema.Types;
import io.berth.schema.protobuf.AnswerReader;
import io.berth.schema.protobuf.ProtobufEncoder;
import java.io.IOException;
import java.util.Set;
import java.util.function.Consumer;

/// Objects as bytes: protobuf for kinds that our table knows and servers that offer it, JSON else.
///
/// A server decides: it names the form of each answer, and one that does not speak protobuf answers
/// in JSON.
final class Wire {

  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String EITHER = PROTOBUF + ", " + Call.JSON;

  private final Types types = Types.kubernetes();
  private final ProtobufEncoder encoder = new ProtobufEncoder(types);
  private final ObjectJson json;
  private final Set<String> unread;

  Wire(Set<String> unread) {
    this.unread = Set.copyOf(unread);
    this.json = new ObjectJson(unread);
  }

  /// What answers about this resource may be in.
  String accepted(Resource resource) {
    return types.find(resource.apiVersion(), resource.kind()).isPresent() ? EITHER : Call.JSON;
  }

  /// A request to make `body`, of whose answer only the status is of interest.
  Call post(String target, Tree body) {
    if (encoder.knows(body.textOrEmpty("apiVersion"), body.textOrEmpty("kind"))) {
      return new Call("POST", target, EITHER, PROTOBUF, encoder.encode(body));
    }
    return new Call("POST", target, Call.JSON, Call.JSON, Json.write(body));
  }

  /// Reads a list as it comes; its revision.
  String list(Answer answer, Resource resource, Consumer<Tree> item) throws IOException {
    if (isProtobuf(answer.contentType())) {
      try {
        return new AnswerReader(types, unread)
            .list(answer.body(), resource.apiVersion(), resource.kind(), item)
            .textOrEmpty("resourceVersion");
      } catch (DecodingException e) {
        throw new IOException("the answer cannot be read: " + e.getMessage(), e);
      }
    }
    return json.readList(answer.body(), item).textOrEmpty("metadata", "resourceVersion");
  }

  /// A reader of one watch, or of anything else that one thread reads.
  AnswerReader protobuf() {
    return new AnswerReader(types, unread);
  }

  ObjectJson json() {
    return json;
  }

  static boolean isProtobuf(String contentType) {
    return contentType.startsWith(PROTOBUF);
  }

  /// What a server says when it says no, in whichever form.
  ApiException refusal(int code, String contentType, byte[] body) {
    if (isProtobuf(contentType)) {
      try {
        return Refusals.of(code, protobuf().object(body, body.length));
      } catch (DecodingException e) {
        return Refusals.of(code, body);
      }
    }
    return Refusals.of(code, body);
  }
}
