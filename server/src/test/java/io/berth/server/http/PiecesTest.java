package io.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PiecesTest {

  @Test
  void portionsAreThePiecesInOrder() throws IOException {
    var random = new Random(7);
    for (int round = 0; round < 100; round++) {
      var whole = new ByteArrayOutputStream();
      var pieces = new Pieces();
      for (int i = random.nextInt(1, 9); i > 0; i--) {
        var piece = new byte[random.nextInt(20)];
        random.nextBytes(piece);
        int from = random.nextInt(piece.length + 1);
        whole.write(piece, from, piece.length - from);
        pieces.share(ByteBuffer.wrap(piece, from, piece.length - from));
      }

      var sent = new ByteArrayOutputStream();
      var sizes = new ArrayList<Integer>();
      pieces.forEachPortion(
          8,
          portion -> {
            sizes.add(portion.remaining());
            sent.write(portion.array(), portion.arrayOffset(), portion.remaining());
          });

      assertThat(sent.toByteArray()).isEqualTo(whole.toByteArray());
      assertThat(pieces.joined()).isEqualTo(whole.toByteArray());
      assertThat(pieces.length()).isEqualTo(whole.size());
      assertThat(sizes).allMatch(size -> size > 0 && size <= 8);
    }
  }

  @Test
  void oneMorePieceLeavesTheOthersAlone() {
    var body = Pieces.of(new byte[] {'a'});

    assertThat(body.with(new byte[] {'\n'}).joined()).containsExactly('a', '\n');
    assertThat(body.joined()).containsExactly('a');
    assertThat(body.endsLine()).isFalse();
    assertThat(body.with(new byte[] {'\n'}).endsLine()).isTrue();
    assertThat(new Pieces().endsLine()).isFalse();
  }
}
