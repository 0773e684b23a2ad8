import EventLog
import Events
import TestSupport
import Testing

/// Cases in which implementations of Ed25519 differ, as "Taming the many EdDSAs" names them; made for the message `TripStore` with
/// plain arithmetic on integers.
@Suite("Which signatures are valid")
struct SignatureRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isValid: Bool
        let key: String
        let signature: String

        init(_ description: String, isValid: Bool, key: String, signature: String) {
            (testDescription, self.isValid, self.key, self.signature) = (description, isValid, key, signature)
        }
    }

    static let cases = [
        Case(
            "one like any other", isValid: true,
            key: "17ffad8068dc0de9935d36636f3ad1b5de6de3413b12388e453b05f2a4c1d3db",
            signature: "aa6df914f7a0f04e7f852adf459873f17dba5b1671ea62e82cc10ed6aecc489c"
                + "895cdc6b7ac8b0847fc1b4bdb07e3fb03d2e3033c3935492bca291884ef1f906"),
        Case(
            "a number S that is too large by the order of the base point", isValid: false,
            key: "17ffad8068dc0de9935d36636f3ad1b5de6de3413b12388e453b05f2a4c1d3db",
            signature: "aa6df914f7a0f04e7f852adf459873f17dba5b1671ea62e82cc10ed6aecc489c"
                + "7630d2c8942bc3dc555eac608f781ec53d2e3033c3935492bca291884ef1f916"),
        Case(
            "a key with a part of small order, under the equation without the cofactor", isValid: true,
            key: "1dd960b291c53514fece1341fc0dcd8a648b3934c2c533666f737a654ff1e1bf",
            signature: "39289c8998fd69835c26b619e89848a7bf02b7cb7ad1ba1581cbc4506f2550ce"
                + "8b36977ad9091378669e15f643149fc135b3a70ca1a0cd00c3a94aa368b8d30a"),
        Case(
            "the same, under the equation with the cofactor alone", isValid: false,
            key: "1dd960b291c53514fece1341fc0dcd8a648b3934c2c533666f737a654ff1e1bf",
            signature: "c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022"
                + "c2d1e6a8385432cfed5f5ea3098ec3cd70b032bb61d56244f9e18658b5d54002"),
        Case(
            "a key of order 1, for which it is valid for any message", isValid: false,
            key: "0100000000000000000000000000000000000000000000000000000000000000",
            signature: "0100000000000000000000000000000000000000000000000000000000000000"
                + "0000000000000000000000000000000000000000000000000000000000000000"),
        Case(
            "an R of order 1", isValid: false,
            key: "17ffad8068dc0de9935d36636f3ad1b5de6de3413b12388e453b05f2a4c1d3db",
            signature: "0100000000000000000000000000000000000000000000000000000000000000"
                + "0f62fda24ad10e0842448bf05480c5865657e2ce876b9f1fc6dd396afd65ff0c"),
        Case(
            "a key of order 1 in its second way to be written", isValid: false,
            key: "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            signature: "0100000000000000000000000000000000000000000000000000000000000000"
                + "0000000000000000000000000000000000000000000000000000000000000000"),
    ]

    @Test("One rule holds on every platform, whatever the library takes", arguments: cases)
    func rule(_ one: Case) throws {
        let key = try #require([UInt8](hexadecimal: one.key))
        let signature = try #require([UInt8](hexadecimal: one.signature))
        #expect(
            LineSignature.isValid(signature, publicKey: key, message: Array("TripStore".utf8)) == one.isValid)
    }

    @Test("A verifier that was written from the document alone holds to the same rule")
    func independentRule() throws {
        let lines = Self.cases.map { "signature \($0.key)\($0.signature)\("TripStore".utf8.map { $0 }.hexadecimal)" }
        let output = try #require(
            try Program.run(
                "python3", ["-B", SourceFile.verifier, "--messages"], input: Array(lines.joined(separator: "\n").utf8)))
        #expect(output.code == 0, "\(output.complaint)")
        #expect(
            output.text.split(separator: "\n").map(String.init) == Self.cases.map { $0.isValid ? "valid" : "not valid" }
        )
    }

    @Test("Lengths other than those of keys and signatures are no signatures", arguments: [0, 31, 33, 63, 65])
    func lengths(count: Int) throws {
        let first = try #require(Self.cases.first)
        let key = try #require([UInt8](hexadecimal: first.key))
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(!LineSignature.isValid(bytes, publicKey: key, message: []))
        #expect(!LineSignature.isValid([UInt8](repeating: 1, count: 64), publicKey: bytes, message: []))
    }
}
