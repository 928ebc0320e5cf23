package io.berth.schema.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Canonical;
import io.berth.schema.Decoder;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;
import io.berth.schema.Vectors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a server writes in protobuf is read as the JSON it would have written.
class AnswerReaderTest {

  private static final String POD =
      """
      {"apiVersion": "v1", "kind": "Pod",
       "metadata": {"name": "p", "namespace": "default", "labels": {"app": "a", "empty": ""},
         "creationTimestamp": "2026-01-02T03:04:05Z",
         "managedFields": [{"manager": "m"}]},
       "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "100m"}},
           "env": [{"name": "A", "value": "1"}], "ports": [{"containerPort": 80, "hostPort": 8080}]}],
         "nodeSelector": {"env": "production"}, "priority": 0, "hostNetwork": true,
         "tolerations": [{"operator": "Exists"}],
         "terminationGracePeriodSeconds": 0},
       "status": {"phase": "Pending"}}
      """;

  private final Types types = Types.kubernetes();
  private final ProtobufEncoder encoder = new ProtobufEncoder(types);

  @Test
  void readsTheTreeThatJsonWouldHaveGiven() {
    var pod = Json.read(POD);
    var bytes = encoder.encode(pod);

    assertThat(reader().object(bytes, bytes.length)).isEqualTo(pod);
  }

  @Test
  void readsWhatKubernetesWritesAsItsJson() {
    int read = 0;
    for (var vector : Vectors.read("decoding.jsonl.gz")) {
      var proto = vector.text("proto");
      if (proto != null && vector.text("error") == null) {
        var bytes = Base64.getDecoder().decode(proto);
        var json =
            new Decoder(types)
                .tree(
                    vector.treeOrEmpty("object"),
                    vector.textOrEmpty("apiVersion"),
                    vector.textOrEmpty("kind"),
                    FieldValidation.IGNORE)
                .tree();
        // JSON says null for some of what is not set; nothing else may differ.
        var type = types.type(vector.textOrEmpty("apiVersion"), vector.textOrEmpty("kind"));
        var answer = Canonical.of(type, reader().object(bytes, bytes.length));
        assertThat(answer).as(proto).isEqualTo(json);
        read++;
      }
    }
    assertThat(read).isGreaterThan(300);
  }

  @Test
  void leavesOutWhatNobodyReadsButNoLabelOfThatName() {
    var bytes = encoder.encode(Json.read(POD));

    var read = reader("managedFields", "env").object(bytes, bytes.length);

    assertThat(read.treeOrEmpty("metadata").has("managedFields")).isFalse();
    assertThat(read.trees("spec", "containers").getFirst().has("env")).isFalse();
    assertThat(read.texts("spec", "nodeSelector")).containsEntry("env", "production");
  }

  @Test
  void readsAListItemByItem() throws IOException {
    var pod = Json.read(POD);
    var message = encoder.message(types.type("v1", "Pod"), pod);
    var list =
        joined(
            encoder.list(
                "v1",
                "PodList",
                Tree.of("resourceVersion", "7"),
                List.of(message, message, message)));
    var items = new ArrayList<Tree>();

    var meta = reader().list(new ByteArrayInputStream(list), "v1", "Pod", items::add);

    assertThat(meta.textOrEmpty("resourceVersion")).isEqualTo("7");
    assertThat(items).hasSize(3);
    pod.remove("apiVersion");
    pod.remove("kind");
    assertThat(items.getLast()).isEqualTo(pod);
  }

  private static byte[] joined(List<byte[]> pieces) {
    var bytes = new ByteArrayOutputStream();
    pieces.forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }

  @Test
  void readsAnEmptyList() throws IOException {
    var list = joined(encoder.list("v1", "PodList", Tree.of("resourceVersion", "7"), List.of()));

    var meta = reader().list(new ByteArrayInputStream(list), "v1", "Pod", _ -> {});

    assertThat(meta.textOrEmpty("resourceVersion")).isEqualTo("7");
  }

  @Test
  void readsWatchEventsOneAfterTheOther() throws IOException {
    var status = Tree.of("apiVersion", "v1", "kind", "Status", "code", 410L);
    var stream = new ByteArrayOutputStream();
    stream.write(ProtobufEncoder.watchEvent("ADDED", encoder.encode(Json.read(POD))));
    stream.write(ProtobufEncoder.watchEvent("ERROR", encoder.encode(status)));
    var in = new ByteArrayInputStream(stream.toByteArray());
    var seen = new ArrayList<AnswerReader.Event>();
    var reader = reader();

    assertThat(reader.next(in, seen::add)).isTrue();
    assertThat(reader.next(in, seen::add)).isTrue();
    assertThat(reader.next(in, seen::add)).isFalse();

    assertThat(seen.getFirst()).isEqualTo(new AnswerReader.Event("ADDED", Json.read(POD)));
    assertThat(seen.getLast().type()).isEqualTo("ERROR");
    assertThat(seen.getLast().object().number(0, "code")).isEqualTo(410);
  }

  @Test
  void anAnswerThatBreaksOffIsAnError() {
    var message = encoder.message(types.type("v1", "Pod"), Json.read(POD));
    var list = joined(encoder.list("v1", "PodList", new Tree(), List.of(message)));
    var event = ProtobufEncoder.watchEvent("ADDED", encoder.encode(Json.read(POD)));

    for (int length = 1; length < list.length; length += 7) {
      var part = new ByteArrayInputStream(Arrays.copyOf(list, length));
      assertThatThrownBy(() -> reader().list(part, "v1", "Pod", _ -> {}))
          .isInstanceOf(EOFException.class);
    }
    var part = new ByteArrayInputStream(Arrays.copyOf(event, event.length - 1));
    assertThatThrownBy(() -> reader().next(part, _ -> {})).isInstanceOf(EOFException.class);
  }

  private AnswerReader reader(String... unread) {
    return new AnswerReader(types, Set.of(unread));
  }
}
