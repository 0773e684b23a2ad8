package import ArgumentParser
package import Logging

/// The address to listen on, on the command line.
package struct ListenArgument: ExpressibleByArgument {
    /// A name, or an IP address without brackets.
    package let host: String
    package let port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    package init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
            (0...65535).contains(port)
        else { return nil }
        let host = argument[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        // An address of version 6 without brackets could end anywhere.
        guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
        self.host = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
        self.port = port
    }
}

/// A level of logs on the command line.
package struct LogLevelArgument: ExpressibleByArgument {
    package let level: Logger.Level

    package init(level: Logger.Level) { self.level = level }

    package init?(argument: String) {
        guard let level = Logger.Level(rawValue: argument) else { return nil }
        self.level = level
    }

    package var defaultValueDescription: String { level.rawValue }
    package static var allValueStrings: [String] { Logger.Level.allCases.map(\.rawValue) }
}

/// The certificate of a server, on the command line.
package struct CertificateOptions: ParsableArguments {
    package init() {}

    @Option(name: .long, help: "The file of the certificate, in PEM, followed by those that lead to a root.")
    package var certificate: String?

    @Option(name: .long, help: "The file of its private key, in PEM.")
    package var key: String?

    @Flag(name: .long, help: "Make a key and a certificate in the folder, the first time, and use them from then on.")
    package var selfSigned = false

    package func validate() throws {
        guard selfSigned != (certificate != nil && key != nil), (certificate == nil) == (key == nil) else {
            throw ValidationError("Give --certificate FILE and --key FILE, or --self-signed.")
        }
    }
}
