package import ArgumentParser

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
