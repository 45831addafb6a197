//! One page, on a port of this machine.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

/// How long the head of a request may be, and how long it may take.
const LONGEST: u64 = 1 << 16;
const PATIENCE: Duration = Duration::from_secs(5);

/// A port that only this machine sees.
pub(crate) fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// Answers requests with the page, one after the other, for ever. A connection that breaks is no reason to stop.
pub(crate) fn serve(listener: &TcpListener, page: &str) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept()?;
        let _ = answer(stream, page);
    }
}

fn answer(mut stream: TcpStream, page: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new((&stream).take(LONGEST)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    // The rest of the head says nothing of interest, but has to be read.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.strip_prefix("GET ").and_then(|rest| rest.split([' ', '?']).next());
    let (status, kind, body) = match path {
        Some("/" | "/index.html") => ("200 OK", "text/html", page),
        Some(_) => ("404 Not Found", "text/plain", "There is only one page here: /\n"),
        None => ("405 Method Not Allowed", "text/plain", "The page can only be read.\n"),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::{listen, serve};

    fn asked(port: u16, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the page is served");
        stream.write_all(request.as_bytes()).expect("a request can be sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it is answered");
        answer
    }

    #[test]
    fn a_page_is_served_and_nothing_else_is() {
        let listener = listen(0).expect("some port is free");
        let port = listener.local_addr().expect("it has an address").port();
        std::thread::spawn(move || serve(&listener, "<p>page</p>"));
        drop(TcpStream::connect(("127.0.0.1", port)));
        assert!(asked(port, "GET /?x HTTP/1.1\r\nHost: here\r\n\r\n").ends_with("\r\n\r\n<p>page</p>"));
        assert!(asked(port, "GET /other HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
        assert!(asked(port, "POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
    }
}
