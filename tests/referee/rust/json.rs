//! JSON as it was written: a number keeps its digits, and a member named twice is there twice.
//!
//! A part of the validator that was written from the published pages; `main.rs` says more.

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A member, be it null.
    pub fn member(&self, name: &str) -> Option<&Json> {
        self.members().iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// A member that says something: null counts as left out.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.member(name).filter(|value| **value != Json::Null)
    }

    /// A member that the schema requires.
    pub fn need(&self, name: &str) -> &Json {
        self.get(name).unwrap_or_else(|| panic!("{name} is missing"))
    }

    /// The entries of a list in a member, none if it is left out.
    pub fn entries(&self, name: &str) -> &[Json] {
        self.get(name).map_or(&[], Json::list)
    }

    pub fn text(&self) -> &str {
        if let Json::Text(text) = self {
            text
        } else {
            ""
        }
    }

    pub fn int(&self) -> i64 {
        if let Json::Number(digits) = self {
            digits.parse().unwrap_or(0)
        } else {
            0
        }
    }

    pub fn list(&self) -> &[Json] {
        if let Json::List(entries) = self {
            entries
        } else {
            &[]
        }
    }

    pub fn members(&self) -> &[(String, Json)] {
        if let Json::Object(members) = self {
            members
        } else {
            &[]
        }
    }

    pub fn ints(&self) -> Vec<i64> {
        self.list().iter().map(Json::int).collect()
    }

    pub fn texts(&self) -> Vec<String> {
        self.list().iter().map(|entry| entry.text().to_string()).collect()
    }

    /// Puts a value at a JSON pointer, as the options of a rule sheet do.
    pub fn replace_at(&mut self, pointer: &str, value: Json) {
        let mut place = self;
        for part in pointer.split('/').skip(1) {
            place = match place {
                Json::Object(members) => {
                    &mut members.iter_mut().find(|(name, _)| name == part).expect("a member").1
                }
                Json::List(entries) => &mut entries[part.parse::<usize>().expect("an index")],
                _ => panic!("nothing lies at {pointer}"),
            };
        }
        *place = value;
    }

    pub fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(digits) => out.push_str(digits),
            Json::Text(text) => write_text(text, out),
            Json::List(entries) => {
                out.push('[');
                for (index, entry) in entries.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    entry.write(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    write_text(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            letter if (letter as u32) < 32 => out.push_str(&format!("\\u{:04x}", letter as u32)),
            letter => out.push(letter),
        }
    }
    out.push('"');
}

pub fn number(value: i64) -> Json {
    Json::Number(value.to_string())
}

pub fn numbers(values: &[i64]) -> Json {
    Json::List(values.iter().map(|value| number(*value)).collect())
}

pub fn text(value: &str) -> Json {
    Json::Text(value.to_string())
}

pub fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

/// A value, and whether half a surrogate pair stands in one of its texts.
pub struct Parsed {
    pub value: Json,
    pub has_surrogate: bool,
}

/// Reads one value; what is wrong with the text is told in a word.
pub fn parse(source: &str) -> Result<Parsed, &'static str> {
    let mut parser = Parser { bytes: source.as_bytes(), at: 0, has_surrogate: false };
    let value = parser.value(1)?;
    parser.skip_space();
    if parser.at != parser.bytes.len() {
        return Err("more text");
    }
    Ok(Parsed { value, has_surrogate: parser.has_surrogate })
}

/// Deeper than any record, and not so deep that reading it uses up the stack.
const DEEPEST: usize = 2000;

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    has_surrogate: bool,
}

impl Parser<'_> {
    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes past a byte if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += is_next as usize;
        is_next
    }

    fn value(&mut self, depth: usize) -> Result<Json, &'static str> {
        self.skip_space();
        if depth > DEEPEST {
            return Err("too deep");
        }
        match self.next() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Json::Text(self.string()?)),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err("no value"),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, &'static str> {
        self.at += 1;
        let mut members = vec![];
        self.skip_space();
        if self.take(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_space();
            let name = self.string()?;
            self.skip_space();
            if !self.take(b':') {
                return Err("no colon");
            }
            members.push((name, self.value(depth + 1)?));
            self.skip_space();
            if self.take(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return Err("an open object");
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, &'static str> {
        self.at += 1;
        let mut entries = vec![];
        self.skip_space();
        if self.take(b']') {
            return Ok(Json::List(entries));
        }
        loop {
            entries.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Json::List(entries));
            }
            if !self.take(b',') {
                return Err("an open list");
            }
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, &'static str> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err("no value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn digits(&mut self) -> usize {
        let first = self.at;
        while matches!(self.next(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - first
    }

    fn number(&mut self) -> Result<Json, &'static str> {
        let start = self.at;
        self.take(b'-');
        let first = self.next();
        let whole = self.digits();
        if whole == 0 || (whole > 1 && first == Some(b'0')) {
            return Err("no number");
        }
        if self.take(b'.') && self.digits() == 0 {
            return Err("no number");
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return Err("no number");
            }
        }
        Ok(Json::Number(String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned()))
    }

    fn string(&mut self) -> Result<String, &'static str> {
        if !self.take(b'"') {
            return Err("no text");
        }
        let mut bytes: Vec<u8> = vec![];
        loop {
            let byte = self.next().ok_or("an open text")?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(bytes).map_err(|_| "not UTF-8"),
                b'\\' => {
                    let mut room = [0; 4];
                    bytes.extend_from_slice(self.escaped()?.encode_utf8(&mut room).as_bytes());
                }
                byte if byte < 32 => return Err("a control character"),
                byte => bytes.push(byte),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, &'static str> {
        let letter = self.next().ok_or("an open text")?;
        self.at += 1;
        match letter {
            b'"' | b'\\' | b'/' => Ok(letter as char),
            b'b' => Ok('\x08'),
            b'f' => Ok('\x0c'),
            b'n' => Ok('\n'),
            b'r' => Ok('\r'),
            b't' => Ok('\t'),
            b'u' => self.code_point(),
            _ => Err("an unknown escape"),
        }
    }

    fn code_point(&mut self) -> Result<char, &'static str> {
        let mut code = self.four_digits()?;
        if (0xD800..0xDC00).contains(&code) && self.bytes[self.at..].starts_with(b"\\u") {
            let before = self.at;
            self.at += 2;
            let low = self.four_digits()?;
            if (0xDC00..0xE000).contains(&low) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            } else {
                self.at = before;
            }
        }
        Ok(char::from_u32(code).unwrap_or_else(|| {
            self.has_surrogate = true;
            '?'
        }))
    }

    fn four_digits(&mut self) -> Result<u32, &'static str> {
        let digits = self.bytes.get(self.at..self.at + 4).ok_or("an open escape")?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err("no hexadecimal digit");
        }
        self.at += 4;
        let digits = std::str::from_utf8(digits).map_err(|_| "not UTF-8")?;
        u32::from_str_radix(digits, 16).map_err(|_| "no hexadecimal digit")
    }
}
