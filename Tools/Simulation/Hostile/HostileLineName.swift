/// Names a line of a hostile writer: it has one for each purpose, so that what one act does to a line is no part of another's.
struct HostileLineName: Hashable {
    enum Purpose { case writing, forking, tying, scattering, erasing }

    let writer: Int
    let purpose: Purpose
}
