/// Which bytes are acceptable for a point or a number in an Ed25519 key or signature.
///
/// Libraries differ in what they accept: points of small order, under which any signature is valid for any message, and
/// second encodings of a number. If one replica accepted what another refuses, they would diverge permanently; so these
/// are refused before a library is called. What remains is the equation without the cofactor, which compares R by its
/// bytes: on that all libraries agree. After Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs" (2020).
enum EdwardsPoint {
    /// Whether 32 bytes are the canonical encoding of the y of a point whose order is not small (1, 2, 4 or 8).
    static func isAcceptable(_ bytes: some Collection<UInt8>) -> Bool {
        var y = Array(bytes)
        guard y.count == 32 else { return false }
        // The highest bit is the sign of x.
        y[31] &= 0x7F
        return isLess(y, prime) && !smallOrder.contains(y)
    }

    /// Whether 32 bytes are the canonical encoding of a number below the order of the base point.
    static func isScalar(_ bytes: some Collection<UInt8>) -> Bool { bytes.count == 32 && isLess(Array(bytes), order) }

    /// Of numbers with the least significant byte first.
    private static func isLess(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.reversed().lexicographicallyPrecedes(b.reversed())
    }

    /// 2^255 − 19.
    private static let prime = [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]

    /// 2^252 + 27742317777372353535851937790883648493.
    private static let order: [UInt8] = [
        0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10,
    ]

    /// The y of the eight points of small order: of order 4, 1 and 2, and the two of order 8.
    private static let smallOrder: Set<[UInt8]> = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]
}
