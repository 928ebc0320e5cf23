package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.admission.AdmissionChain;
import io.berth.codec.Json;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Offers the server every version and every cipher suite of TLS one by one, byte by byte, because
/// a library would refuse to offer the weak ones.
class TlsScanTest {

  private static final int HANDSHAKE = 0x16;
  private static final int SERVER_HELLO = 2;
  private static final int TLS_1_2 = 0x0303;
  private static final int TLS_1_3 = 0x0304;

  private static Store store;
  private static ApiServer server;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
    server =
        new ApiServer(
            store,
            Authority.open(null),
            AdmissionChain.of(List.of(), List.of()),
            ServerSettings.plain());
    port = server.listen("127.0.0.1", 0, List.of("127.0.0.1"));
  }

  @AfterAll
  static void stop() {
    server.close();
    store.close();
  }

  @Test
  void onlyForwardSecretAuthenticatedEncryptionIsSpoken() throws Exception {
    assertThat(accepted(TLS_1_3, 0x1301, 0x1305))
        .as("AES-GCM and ChaCha20-Poly1305")
        .containsExactly("1301", "1302", "1303");
    assertThat(accepted(TLS_1_2, 0x0001, 0x00c7)).as("RSA and DH key exchange").isEmpty();
    assertThat(accepted(TLS_1_2, 0xc001, 0xc0ff))
        .as("ECDHE_RSA or ECDHE_ECDSA with AES-GCM")
        .isSubsetOf("c02b", "c02c", "c02f", "c030")
        .isNotEmpty();
    assertThat(accepted(TLS_1_2, 0xcca8, 0xccae))
        .as("ECDHE with ChaCha20-Poly1305")
        .isSubsetOf("cca8", "cca9");
  }

  @Test
  void olderVersionsAreRefused() throws Exception {
    for (int version : List.of(0x0300, 0x0301, 0x0302)) {
      var suites = new ArrayList<Integer>();
      for (int suite = 0xc001; suite <= 0xc030; suite++) {
        suites.add(suite);
      }
      assertThat(isAccepted(version, suites)).as("version %x", version).isFalse();
    }
  }

  private static List<String> accepted(int version, int from, int to) throws IOException {
    var accepted = new ArrayList<String>();
    for (int suite = from; suite <= to; suite++) {
      if (isAccepted(version, List.of(suite))) {
        accepted.add("%04x".formatted(suite));
      }
    }
    return accepted;
  }

  private static boolean isAccepted(int version, List<Integer> suites) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(record(hello(version, suites)));
      var in = new DataInputStream(socket.getInputStream());
      int type = in.read();
      if (type != HANDSHAKE) {
        return false;
      }
      in.skipNBytes(4);
      return in.read() == SERVER_HELLO;
    }
  }

  private static byte[] record(byte[] hello) throws IOException {
    return bytes(out -> {
      out.writeByte(HANDSHAKE);
      out.writeShort(0x0301);
      out.writeShort(hello.length + 4);
      out.writeInt(1 << 24 | hello.length);
      out.write(hello);
    });
  }

  private static byte[] hello(int version, List<Integer> suites) throws IOException {
    var extensions = extensions(version);
    return bytes(out -> {
      out.writeShort(Math.min(version, TLS_1_2));
      out.write(new byte[32]);
      out.writeByte(0);
      out.writeShort(2 * suites.size());
      for (int suite : suites) {
        out.writeShort(suite);
      }
      out.writeShort(0x0100);
      out.writeShort(extensions.length);
      out.write(extensions);
    });
  }

  private static byte[] extensions(int version) throws IOException {
    return bytes(out -> {
      // Groups: x25519, secp256r1, ffdhe2048.
      extension(out, 10, 0x0006, 0x001d, 0x0017, 0x0100);
      // Signatures: PSS, PKCS #1 and ECDSA with SHA-256, PKCS #1 with SHA-1.
      extension(out, 13, 0x0008, 0x0804, 0x0401, 0x0403, 0x0201);
      if (version == TLS_1_3) {
        out.write(new byte[] {0, 43, 0, 3, 2, 3, 4});
        // A share for x25519; any 32 bytes are a public key.
        extension(out, 51, 0x0024, 0x001d, 0x0020, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9);
      }
    });
  }

  private static void extension(DataOutputStream out, int type, int... words) throws IOException {
    out.writeShort(type);
    out.writeShort(2 * words.length);
    for (int word : words) {
      out.writeShort(word);
    }
  }

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Writing writing) throws IOException {
    var bytes = new ByteArrayOutputStream();
    writing.to(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
