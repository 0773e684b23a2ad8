import Foundation

extension Sequence<UInt8> {
    /// Whether the bytes are the same, in a time that does not tell how many of them are.
    func hasSameBytes(as other: some Collection<UInt8>) -> Bool {
        var difference = 0
        var rest = other[...]
        for byte in self {
            guard let next = rest.popFirst() else {
                difference |= 1
                continue
            }
            difference |= Int(byte ^ next)
        }
        return difference == 0 && rest.isEmpty
    }
}

extension [UInt8] {
    /// Base64 in the alphabet of addresses, without padding (RFC 4648, section 5).
    var base64URL: String {
        Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
