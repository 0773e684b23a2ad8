#if Hub
    import Foundation
    import HubCarrier
    import Testing
    import TripStore

    @Suite("The page on running a hub", .timeLimit(.minutes(1)))
    struct RunningAHubSnippets {
        @Test("A hub that is reached")
        func reaching() async throws {
            let store = try await TripStore.temporary()
            let pin = try SelfSignedCertificate.pin()
            // begin RunningAHub-app
            let hub = try HubConnector(HubAddress("https://hub.example:4433"), trust: .pinned(pin))
            let sync = store.stayInSync(with: hub)
            // end
            #expect(hub.address == "https://hub.example:4433")
            await sync.stop()
            guard case .connector(let same) = try ExchangeTarget.hub("https://hub.example:4433") else {
                Issue.record("no connector")
                return
            }
            #expect(same.address == hub.address)
        }

        @Test("A device that serves its store")
        func serving() async throws {
            let place = Folder()
            let phone = try await TripStore.open(at: place.url)
            try await phone.create(Trip(name: "Lisbon"))
            // begin RunningAHub-serve
            let made = try SelfSignedCertificate(for: ["phone.local"])  // keep both texts, the key where keys belong
            let certificate = try HubCertificate(certificates: made.certificate, key: made.key)
            let listener = try await phone.serve(on: "0.0.0.0", port: 0, certificate: certificate)
            let location = ServerLocation(host: "phone.local", port: UInt16(listener.port), pin: certificate.pin)
            let code = try await phone.invite(.write).naming(location)  // there: code.hubConnector
            // end
            #expect(code.hubConnector?.address == "https://phone.local:\(listener.port)")
            // begin RunningAHub-end
            await listener.shutDown()  // before the store is closed
            // end
            await phone.close()
        }
    }

    extension SelfSignedCertificate {
        /// The pin of a hub that is somewhere.
        fileprivate static func pin() throws -> Digest {
            let made = try SelfSignedCertificate(for: ["hub.example"])
            return try HubCertificate(certificates: made.certificate, key: made.key).pin
        }
    }
#endif
