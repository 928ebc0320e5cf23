package io.berth.app;

import com.sun.net.httpserver.HttpServer;
import io.berth.cli.Command;
import io.berth.cli.Terminal;
import io.berth.cli.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// `berth stand-in`, hidden: answers health checks as etcd does, for test environments that start
/// one. Nothing is stored there.
final class StandIn implements Command {

  private static final byte[] HEALTHY =
      "{\"health\":\"true\",\"reason\":\"\"}".getBytes(StandardCharsets.UTF_8);

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("stand-in");
    spec.addOption(
        OptionSpec.builder("--listen").paramLabel("HOST:PORT").type(String.class).build());
    spec.usageMessage().hidden(true).description("Answer health checks in the place of etcd.");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws IOException, InterruptedException {
    var server = HttpServer.create(address(line.matchedOptionValue("--listen", "")), 0);
    server.createContext(
        "/health",
        exchange -> {
          exchange.sendResponseHeaders(200, HEALTHY.length);
          exchange.getResponseBody().write(HEALTHY);
          exchange.close();
        });
    server.start();
    var stop = new CountDownLatch(1);
    Interruption.stopsBy(stop::countDown);
    stop.await();
    server.stop(0);
    return 0;
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    try {
      return new InetSocketAddress(
          text.substring(0, Math.max(colon, 0)), Integer.parseInt(text.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      throw UserError.usage("'%s' is no address; use HOST:PORT".formatted(text));
    }
  }
}
