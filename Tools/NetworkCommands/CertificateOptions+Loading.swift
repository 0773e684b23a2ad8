#if Hub
    import Foundation
    import HubCarrier
    import TripStoreCommands

    extension CertificateOptions {
        /// Reads the files, after they were made if need be. Throws `ExchangeError.unusableCertificate`, or why files could
        /// not be written.
        func load(in folder: URL, for host: String) throws -> HubCertificate {
            let (certificateFile, keyFile) = files(in: folder)
            if selfSigned && !FileManager.default.fileExists(atPath: keyFile.path) {
                let isEverywhere = ["0.0.0.0", "::", ""].contains(host)
                let names = [isEverywhere ? ProcessInfo.processInfo.hostName : host, "localhost", "127.0.0.1"]
                let made = try SelfSignedCertificate(for: names.uniqued)
                // The certificate first: without its key it is made again.
                try Data(made.certificate.utf8).write(to: certificateFile, options: .atomic)
                try Self.write(secret: made.key, to: keyFile)
            }
            return try HubCertificate(certificateFile: certificateFile, keyFile: keyFile)
        }

        /// Reads the files again on each SIGHUP, until the task is cancelled. Files that cannot be used change nothing.
        func reload(_ listener: HubListener, in folder: URL) async {
            let signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            signal(SIGHUP, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
            source.setEventHandler { signals.continuation.yield() }
            source.resume()
            defer { source.cancel() }
            let (certificateFile, keyFile) = files(in: folder)
            for await _ in signals.stream {
                do {
                    let old = listener.pin
                    listener.reload(try HubCertificate(certificateFile: certificateFile, keyFile: keyFile))
                    let changed = listener.pin == old ? "with the same key" : "and its key's hash is \(listener.pin)"
                    Console.current.note("The certificate was read again, \(changed)")
                } catch {
                    Console.current.warn("The certificate stays as it is: \(error)")
                }
            }
        }

        private func files(in folder: URL) -> (certificate: URL, key: URL) {
            if let certificate, let key { return (URL(argument: certificate), URL(argument: key)) }
            return (folder.appendingPathComponent("hub-certificate.pem"), folder.appendingPathComponent("hub-key.pem"))
        }

        /// Nobody else can read it at any moment.
        private static func write(secret: String, to file: URL) throws {
            let draft = file.path + ".new"
            try? FileManager.default.removeItem(atPath: draft)
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw CommandError("The key could not be written to \(draft). Check the folder.")
            }
            let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try output.write(contentsOf: Data(secret.utf8))
            try output.synchronize()
            try output.close()
            try FileManager.default.moveItem(atPath: draft, toPath: file.path)
        }
    }

    extension [String] {
        /// Without repetitions, in order.
        fileprivate var uniqued: [String] {
            reduce(into: []) { found, name in if !found.contains(name) { found.append(name) } }
        }
    }
#endif
