#if Hub
    import Events
    import HubCarrier
    import LogExchange
    import Testing

    @Suite("A hub's address")
    struct HubAddressTests {
        @Test(
            "is read as it is written",
            arguments: [
                ("https://hub.example:4433", "hub.example", 4433), ("https://hub.example", "hub.example", 443),
                ("HTTPS://127.0.0.1:1/", "127.0.0.1", 1), ("https://[::1]:8443", "::1", 8443),
            ])
        func read(text: String, host: String, port: Int) throws {
            let address = try HubAddress(text)
            #expect(address == HubAddress(host: host, port: port))
            #expect(try HubAddress(address.description) == address)
        }

        @Test("may name a journal")
        func journal() throws {
            let address = try HubAddress("https://[::1]:8443/a2a5b0c4-1111-4222-8333-444455556666")
            #expect(address.journal == JournalID("a2a5b0c4-1111-4222-8333-444455556666"))
            #expect(try HubAddress(address.description) == address)
            #expect(address.server.journal == nil)
        }

        @Test(
            "is refused in words otherwise",
            arguments: [
                "http://hub.example", "hub.example", "https://", "https://hub.example:99999",
                "https://hub.example/here",
                "https://hub.example/a/b", "https://me@hub.example", "https://hub.example?x=1", "",
            ])
        func refused(text: String) {
            let error = #expect(throws: ExchangeError.self) { try HubAddress(text) }
            #expect(error?.code == .wrongAddress)
        }
    }
#endif
