package io.berth.schema.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.schema.Decoder;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;
import io.berth.schema.Vectors;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtobufTest {

  private static final Types TYPES = Types.kubernetes();
  private static final ProtobufDecoder DECODER = new ProtobufDecoder(TYPES);
  private static final ProtobufEncoder ENCODER = new ProtobufEncoder(TYPES);

  @Test
  void readsWhatKubernetesWrites() {
    int read = 0;
    for (var vector : Vectors.read("decoding.jsonl.gz")) {
      var proto = vector.text("proto");
      if (proto != null) {
        var decoded = decode(vector, Base64.getDecoder().decode(proto));
        assertThat(decoded).as(vector.textOrEmpty("body")).isEqualTo(canonical(vector));
        read++;
      }
    }
    assertThat(read).isGreaterThan(300);
  }

  @Test
  void readsWhatItWrites() {
    for (var vector : Vectors.read("decoding.jsonl.gz")) {
      if (vector.text("error") == null) {
        var object = canonical(vector);
        assertThat(decode(vector, ENCODER.encode(object))).isEqualTo(object);
      }
    }
  }

  @Test
  void aListHoldsMessagesMadeBefore() {
    var pod = Tree.of("metadata", Tree.of("name", "p"), "spec", Tree.of("nodeName", "n"));
    var message = ENCODER.message(TYPES.type("v1", "Pod"), pod);

    var bytes = new ByteArrayOutputStream();
    ENCODER
        .list("v1", "PodList", Tree.of("resourceVersion", "7"), List.of(message))
        .forEach(bytes::writeBytes);
    var list = DECODER.decode(bytes.toByteArray(), "v1", "PodList").tree();

    assertThat(list.text("metadata", "resourceVersion")).isEqualTo("7");
    assertThat(list.trees("items")).hasSize(1);
    assertThat(list.trees("items").getFirst().text("spec", "nodeName")).isEqualTo("n");
  }

  @Test
  void anUnknownKindIsRefusedAsInJson() {
    var bytes = ProtobufEncoder.envelope("v1", "Pood", new byte[0]);

    assertThatThrownBy(() -> DECODER.decode(bytes, "v1", "Pod"))
        .isInstanceOf(ApiException.class)
        .hasMessageStartingWith(
            "Pood in version \"v1\" cannot be handled as a Pod: no kind \"Pood\" is registered");
  }

  @Test
  void deleteOptionsMayNameAnyGroupVersion() {
    var options = Tree.of("propagationPolicy", "Orphan");
    var message = ENCODER.message(TYPES.type("v1", "DeleteOptions"), options);
    var bytes = ProtobufEncoder.envelope("apps/v1", "DeleteOptions", message);

    var read = DECODER.decodeShared(bytes, "DeleteOptions").tree();

    assertThat(read.text("propagationPolicy")).isEqualTo("Orphan");
  }

  @Test
  void bytesThatAreNoProtobufAreRefused() {
    assertThatThrownBy(() -> DECODER.decode("{}".getBytes(StandardCharsets.UTF_8), "v1", "Pod"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("provided data does not appear to be a protobuf message");
  }

  @Test
  void damagedBytesAreRefusedOrReadButNothingElse() {
    var seed = 20261115L;
    var random = new Random(seed);
    for (var vector : Vectors.read("decoding.jsonl.gz")) {
      if (vector.text("error") == null) {
        damage(vector, ENCODER.encode(canonical(vector)), random);
      }
    }
  }

  private static void damage(Tree vector, byte[] bytes, Random random) {
    for (int round = 0; round < 20; round++) {
      var damaged = bytes.clone();
      for (int i = 0; i < 3; i++) {
        damaged[4 + random.nextInt(damaged.length - 4)] = (byte) random.nextInt();
      }
      try {
        decode(vector, damaged);
      } catch (ApiException e) {
        assertThat(e.code()).isEqualTo(400);
      }
    }
  }

  private static Tree canonical(Tree vector) {
    return new Decoder(TYPES)
        .tree(
            vector.treeOrEmpty("object"),
            vector.textOrEmpty("apiVersion"),
            vector.textOrEmpty("kind"),
            FieldValidation.IGNORE)
        .tree();
  }

  private static Tree decode(Tree vector, byte[] bytes) {
    return DECODER
        .decode(bytes, vector.textOrEmpty("apiVersion"), vector.textOrEmpty("kind"))
        .tree();
  }
}
