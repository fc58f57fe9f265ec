#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hegemon_fuzz::run("positions", bytes);
});
