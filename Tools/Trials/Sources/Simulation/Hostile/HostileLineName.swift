/// Names a line of a hostile writer: one for each purpose, so that acts do not affect each other's lines.
struct HostileLineName: Hashable {
    enum Purpose { case writing, forking, tying, scattering, erasing }

    let writer: Int
    let purpose: Purpose
}
