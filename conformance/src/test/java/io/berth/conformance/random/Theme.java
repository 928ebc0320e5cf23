package io.berth.conformance.random;

/// What a case is mostly about. Everything occurs in every case now and then; a theme makes some of
/// it frequent, so that its corners are met.
record Theme(
    boolean nodeAffinity,
    boolean podAffinity,
    boolean spread,
    boolean defaultSpread,
    boolean taints,
    boolean ports,
    boolean images,
    boolean volumes,
    boolean resize,
    boolean priorities,
    boolean crowded,
    boolean configured) {

  static Theme of(Chance chance) {
    return new Theme(
        chance.percent(25),
        chance.percent(30),
        chance.percent(30),
        chance.percent(20),
        chance.percent(25),
        chance.percent(12),
        chance.percent(15),
        chance.percent(8),
        chance.percent(15),
        chance.percent(55),
        chance.percent(35),
        chance.percent(35));
  }
}
