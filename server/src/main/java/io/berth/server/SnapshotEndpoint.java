package io.berth.server;

import io.berth.server.http.Answer;
import io.berth.store.Store;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;

/// `GET /berth/v1/snapshot`: everything in the store as one file, secrets included, for those who
/// may read this path: administrators, unless a role names it.
final class SnapshotEndpoint {

  static final String PATH = "/berth/v1/snapshot";

  private final Store store;

  SnapshotEndpoint(Store store) {
    this.store = store;
  }

  Answer answer() {
    var capture = store.capture();
    var headers = new ArrayList<Map.Entry<String, String>>();
    headers.add(Map.entry("Content-Type", "application/octet-stream"));
    headers.add(Map.entry("Berth-Objects", String.valueOf(capture.report().objects())));
    headers.add(Map.entry("Berth-Revision", String.valueOf(capture.report().revision())));
    return new Answer.Stream(200, headers, outlet -> capture.writeTo(new Sending(outlet)));
  }

  /// Straight to the client: nothing of it lies in a file that could stay behind.
  private static final class Sending extends OutputStream {

    private final Answer.Outlet outlet;

    Sending(Answer.Outlet outlet) {
      this.outlet = outlet;
    }

    @Override
    public void write(int b) throws IOException {
      outlet.send(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      outlet.send(Arrays.copyOfRange(bytes, from, from + length));
    }
  }
}
