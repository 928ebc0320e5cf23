package io.berth.engine.rule.port;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Host ports that are taken.
class NodePortsTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String REASON = "node(s) didn't have free ports for the requested pod ports";

  static final List<Case> CASES =
      List.of(
          new Case("no ports", taken("80", "TCP", ""), pod(""), List.of()),
          new Case("another port", taken("80", "TCP", ""), wanting("81", "TCP", ""), List.of()),
          new Case("the same", taken("80", "TCP", ""), wanting("80", "TCP", ""), List.of(REASON)),
          new Case("another protocol", taken("80", "TCP", ""), wanting("80", "UDP", ""), List.of()),
          new Case(
              "no protocol is TCP", taken("80", "", ""), wanting("80", "TCP", ""), List.of(REASON)),
          new Case(
              "other addresses",
              taken("80", "TCP", "10.0.0.1"),
              wanting("80", "TCP", "10.0.0.2"),
              List.of()),
          new Case(
              "every address",
              taken("80", "TCP", "10.0.0.1"),
              wanting("80", "TCP", "0.0.0.0"),
              List.of(REASON)),
          new Case(
              ":: is one address",
              taken("80", "TCP", "::"),
              wanting("80", "TCP", "10.0.0.2"),
              List.of()));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("NodePorts");
  }

  @Test
  void blamesWhoHoldsThePort() {
    var rule = taken("80", "TCP", "").running("n", "'app':'other'", "");

    assertThat(rule.blamed("n", wanting("80", "TCP", ""))).hasSize(1);
  }

  private static OneRule taken(String port, String protocol, String address) {
    return rule().node("n", "").running("n", "", ports(port, protocol, address));
  }

  private static Pod wanting(String port, String protocol, String address) {
    return pod(ports(port, protocol, address));
  }

  private static String ports(String port, String protocol, String address) {
    return "'containers':[{'name':'c','ports':[{'hostPort':%s,'protocol':'%s','hostIP':'%s'}]}]"
        .formatted(port, protocol, address);
  }
}
