cd target-bin; V=v/gen1.toml
m() { timeout 30 ./vlab match classic "$@" >> $OUT/match.log 2>&1; }
m beam 48 97 16 12 "champion(value=$V,looks=24,horizon=end,portfolio=beam+killbot+boscoe)" beam beam beam
m sampling 64 97 16 12 "champion(value=$V,looks=40,horizon=end,portfolio=baseline+killbot,suspects=baseline+simulation+killbot)" baseline
m classic 48 97 16 18 "champion(value=$V,looks=48)" killbot better-pixie quo
m lux 48 97 16 18 "champion(value=$V,looks=48)" killbot quo evil-pixie boscoe better-pixie
m sampling 64 97 16 8 "champion(value=$V,looks=12)" baseline
m beam 48 97 16 8 "champion(value=$V,looks=12,portfolio=beam+killbot+quo+evil-pixie+boscoe)" beam beam beam
cat $OUT/match.log | cut -c1-200
