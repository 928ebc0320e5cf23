package io.berth.app;

import io.berth.cli.Consoles;
import io.berth.cli.UserError;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;

/// Consoles that `berth up` serves, those of this process, and the browser of this machine.
final class MachineConsoles implements Consoles {

  private static final String CODES = "/console/api/v1/codes";

  /// What shows an address on the systems we know.
  private static final List<String> OPENERS = List.of("xdg-open", "open");

  @Override
  public String invitation(Path kubeconfig) {
    try (var admin = AdminClient.of(kubeconfig)) {
      var request =
          HttpRequest.newBuilder(URI.create(admin.server() + CODES))
              .header("X-Berth-Console", "1")
              .header("Origin", admin.server())
              .POST(BodyPublishers.noBody())
              .build();
      var answer = admin.http().send(request, BodyHandlers.ofString());
      return "%s/console/#%s".formatted(admin.server(), code(answer));
    } catch (IOException e) {
      throw new UserError("the cluster does not answer: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted");
    }
  }

  @Override
  public Running serve(Path kubeconfig, boolean readOnly) {
    return new LoopbackConsole(kubeconfig, readOnly);
  }

  private static String code(HttpResponse<String> answer) {
    try {
      var tree = Json.read(answer.body());
      if (answer.statusCode() == 200) {
        return tree.textOrEmpty("code");
      }
      throw new UserError("the cluster gives no code: " + tree.textOrEmpty("message"));
    } catch (SyntaxException e) {
      throw new UserError("the cluster has no console; 'berth up' starts one that has");
    }
  }

  @Override
  public boolean show(String address) {
    for (var opener : OPENERS) {
      try {
        new ProcessBuilder(opener, address)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
        return true;
      } catch (IOException e) {
        // The next one may be there.
      }
    }
    return false;
  }
}
