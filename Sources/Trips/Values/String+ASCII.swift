extension String {
    /// Whether it can be a code or a name of a standard, letter for letter: visible ASCII.
    ///
    /// Other text may pass for another: a Kelvin sign equals a K, a long s becomes an S in capitals, and Foundation
    /// stops reading the name of a zone at a NUL once it knows the zone.
    var isVisibleASCII: Bool { utf8.allSatisfy { 0x21...0x7E ~= $0 } }
}
